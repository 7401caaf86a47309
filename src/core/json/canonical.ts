import canonicalize from "canonicalize";

/**
 * RFC 8785 (JCS) bytes of a JSON value. Throws TypeError for what is no JSON: undefined, non-finite
 * numbers, lone surrogates, cycles.
 */
export function canonicalBytes(value: unknown): Buffer {
  const text = canonicalize(value);
  if (text === undefined || !text.isWellFormed()) throw new TypeError("no JSON value");
  return Buffer.from(text, "utf8");
}
