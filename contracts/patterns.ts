/** Patterns that are needed without the schema library: the command line's start-up depends on it. */
export const SHA256_HEX = /^[0-9a-f]{64}$/;

/**
 * Tokens: prefix of the role and 43 characters of base64url (256 random bits); a worker's carries the worker's
 * id in between, so that a worker knows who it is before it has asked anybody.
 */
export const TOKEN = /^(?:rh[ac]_|rhw_([0-9a-f]{32})_)[A-Za-z0-9_-]{43}$/;

/** The worker id that a token carries; null when it is no worker's token. */
export function workerOfToken(token: string): string | null {
  const hex = TOKEN.exec(token)?.[1];
  return hex === undefined ? null : `w_${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}`;
}

/** How a worker's token begins. */
export const workerTokenPrefix = (workerUuid: string): string =>
  `rhw_${workerUuid.slice(2).replaceAll("-", "")}_`;
