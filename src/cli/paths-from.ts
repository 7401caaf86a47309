const NUL = 0;

/** NUL-ended paths of a stream, as `find -print0` writes them; a path that is no UTF-8 stays bytes. */
export async function* pathsFrom(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const piece of input) {
    rest = Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(NUL); end >= 0; end = rest.indexOf(NUL)) {
      if (end > 0) yield pathOf(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) yield pathOf(rest);
}

function pathOf(bytes: Buffer): string | Uint8Array {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : Uint8Array.from(bytes);
}
