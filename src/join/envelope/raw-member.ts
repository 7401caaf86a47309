const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];

/**
 * The raw text of a member of nested objects, without insignificant white space: what a digest over a
 * recorded payload was taken of. `bytes` must be JSON that passed parseStrict. Null when it is not there.
 */
export function rawMember(bytes: Buffer, path: readonly string[]): Buffer | null {
  let at = skipSpace(bytes, 0);
  for (const name of path) {
    const found = memberOf(bytes, at, name);
    if (found === null) return null;
    at = found;
  }
  return withoutSpace(bytes.subarray(at, endOfValue(bytes, at)));
}

/** Where the value of a member begins, in the object that begins at `at`. */
function memberOf(bytes: Buffer, at: number, name: string): number | null {
  if (bytes[at] !== OPEN_BRACE) return null;
  let next = skipSpace(bytes, at + 1);
  while (bytes[next] === QUOTE) {
    const end = endOfString(bytes, next);
    const key: unknown = JSON.parse(bytes.toString("utf8", next, end));
    const value = skipSpace(bytes, skipSpace(bytes, end) + 1);
    if (bytes[value - 1] === undefined) return null;
    if (key === name) return value;
    next = skipSpace(bytes, endOfValue(bytes, value));
    if (bytes[next] === COMMA) next = skipSpace(bytes, next + 1);
  }
  return null;
}

function endOfValue(bytes: Buffer, start: number): number {
  let at = start;
  let depth = 0;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (depth === 0 && (byte === COMMA || byte === COLON)) return at;
  }
  return at;
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (SPACE.has(bytes[at] ?? 0)) at += 1;
  return at;
}

function withoutSpace(bytes: Buffer): Buffer {
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      length += bytes.copy(out, length, at, end);
      at = end - 1;
    } else if (!SPACE.has(byte)) {
      out[length] = byte;
      length += 1;
    }
  }
  return out.subarray(0, length);
}
