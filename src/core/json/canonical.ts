import canonicalize from "canonicalize";

/**
 * RFC 8785 (JCS) text of a JSON value. Throws TypeError for what is no JSON: undefined, non-finite
 * numbers, lone surrogates, cycles.
 */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined || !text.isWellFormed()) throw new TypeError("no JSON value");
  return text;
}

/** The same in UTF-8. */
export const canonicalBytes = (value: unknown): Buffer => Buffer.from(canonicalText(value), "utf8");
