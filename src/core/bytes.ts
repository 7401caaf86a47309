/**
 * Outside bytes of any number that are read once or twice from the front: in memory, or through a window onto
 * where they lie. What `read` and `pieces` give is the caller's until the next call alone.
 */
export interface Bytes {
  readonly size: number;
  /** Bytes that are needed all at once. */
  read(at: number, length: number): Buffer;
  /** The same in as many pieces as suit the source, none of them empty. */
  pieces(at: number, length: number): Iterable<Buffer>;
}

export function bytesInMemory(bytes: Uint8Array): Bytes {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = (at: number, length: number): Buffer => whole.subarray(at, at + length);
  return {
    size: whole.length,
    read,
    pieces: (at, length) => (length === 0 ? [] : [read(at, length)]),
  };
}

interface Source {
  read(at: number, length: number, into?: Buffer): Buffer;
}

/**
 * A part of a source, read through `window`: memory of the caller's that one after another can use. Memory that
 * no thread has touched before costs many times what reading into it does.
 */
export function bytesThrough(
  window: Buffer,
  source: Source,
  { from, size }: { readonly from: number; readonly size: number },
): Bytes {
  let start = 0;
  let shown: Buffer = Buffer.alloc(0);
  const move = (at: number): void => {
    start = at;
    shown = Buffer.alloc(0); // should the source fail
    shown = source.read(from + at, Math.min(window.length, size - at), window);
  };
  return {
    size,
    read: (at, length) => {
      if (length > window.length) return source.read(from + at, length);
      if (at < start || at + length > start + shown.length) move(at);
      return shown.subarray(at - start, at - start + length);
    },
    *pieces(at, length) {
      const end = Math.min(at + length, size);
      for (let next = at; next < end; ) {
        if (next < start || next >= start + shown.length) move(next);
        const piece = shown.subarray(next - start, end - start);
        next += piece.length;
        yield piece;
      }
    },
  };
}
