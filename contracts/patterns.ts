/** Patterns that are needed without the schema library: the command line's start-up depends on it. */
export const SHA256_HEX = /^[0-9a-f]{64}$/;

/** A prefix and a lower-case RFC 4122 version 4 UUID. */
export const uuid4With = (prefix: string): RegExp =>
  new RegExp(`^${prefix}[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);
export const WORKER_UUID = uuid4With("w_");

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
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the one that is meant
export const WITHOUT_NUL = /^[^\u0000]*$/;
