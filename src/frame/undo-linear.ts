import type { RowPlace } from "./row-place.ts";

// `?? 0` satisfies the compiler about indexes that are always inside; it costs nothing once compiled.
// Stores into bytes wrap by themselves: that is PNG's arithmetic modulo 256.

/** Filter 1: a byte is stated less the one a pixel to the left. */
export function undoSub(bytes: Uint8Array, { from, to, rowBytes, pixelBytes }: RowPlace): void {
  bytes.copyWithin(to, from, from + pixelBytes);
  for (let i = pixelBytes; i < rowBytes; i += 1)
    bytes[to + i] = (bytes[from + i] ?? 0) + (bytes[to + i - pixelBytes] ?? 0);
}

/** Filter 2: a byte is stated less the one above. */
export function undoUp(bytes: Uint8Array, { from, to, rowBytes, first }: RowPlace): void {
  if (first) {
    bytes.copyWithin(to, from, from + rowBytes);
    return;
  }
  const above = to - rowBytes;
  for (let i = 0; i < rowBytes; i += 1) bytes[to + i] = (bytes[from + i] ?? 0) + (bytes[above + i] ?? 0);
}

/** Filter 3: a byte is stated less the mean, rounded down, of the one to the left and the one above. */
export function undoAverage(bytes: Uint8Array, { from, to, rowBytes, pixelBytes, first }: RowPlace): void {
  const above = to - rowBytes;
  for (let i = 0; i < rowBytes; i += 1) {
    const left = i < pixelBytes ? 0 : (bytes[to + i - pixelBytes] ?? 0);
    const up = first ? 0 : (bytes[above + i] ?? 0);
    bytes[to + i] = (bytes[from + i] ?? 0) + ((left + up) >> 1);
  }
}
