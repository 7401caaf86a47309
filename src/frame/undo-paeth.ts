import type { RowPlace } from "./row-place.ts";
import { undoSub } from "./undo-linear.ts";

/**
 * Filter 4: a byte is stated less whichever of left, above and above-left is nearest to left + above -
 * above-left. With 8 bits a sample the neighbours stay in local variables, which the compiler keeps in
 * registers; loading them again for each byte takes a third longer.
 */
export function undoPaeth(bytes: Uint8Array, place: RowPlace): void {
  if (place.first)
    undoSub(bytes, place); // above is zero, so left is always nearest
  else if (place.pixelBytes === 4) undoPaeth4(bytes, place);
  else if (place.pixelBytes === 3) undoPaeth3(bytes, place);
  else undoPaethAny(bytes, place);
}

/**
 * Whichever of left `a`, above `b` and above-left `c` is nearest to a + b - c, ties in that order. With the
 * turning point t = 3c - a - b that is: the larger of a and b where t is not above the smaller, the smaller
 * where t is not below the larger, else c (the test tries all 2^24). Without branches: which one it is cannot
 * be foreseen in a real picture, and a mispredicted branch costs more than all of this.
 */
export function nearest(a: number, b: number, c: number): number {
  const smaller = b ^ ((a ^ b) & ((a - b) >> 31));
  const larger = a ^ b ^ smaller;
  const turn = 3 * c - a - b;
  const other = smaller ^ ((smaller ^ c) & ((turn - larger) >> 31));
  return larger ^ ((larger ^ other) & ((smaller - turn) >> 31));
}

function undoPaeth4(bytes: Uint8Array, { from, to, rowBytes }: RowPlace): void {
  const above = to - rowBytes;
  let [a0, a1, a2, a3] = [0, 0, 0, 0];
  let [c0, c1, c2, c3] = [0, 0, 0, 0];
  for (let i = 0; i < rowBytes; i += 4) {
    const b0 = bytes[above + i] ?? 0;
    const b1 = bytes[above + i + 1] ?? 0;
    const b2 = bytes[above + i + 2] ?? 0;
    const b3 = bytes[above + i + 3] ?? 0;
    a0 = ((bytes[from + i] ?? 0) + nearest(a0, b0, c0)) & 0xff;
    a1 = ((bytes[from + i + 1] ?? 0) + nearest(a1, b1, c1)) & 0xff;
    a2 = ((bytes[from + i + 2] ?? 0) + nearest(a2, b2, c2)) & 0xff;
    a3 = ((bytes[from + i + 3] ?? 0) + nearest(a3, b3, c3)) & 0xff;
    bytes[to + i] = a0;
    bytes[to + i + 1] = a1;
    bytes[to + i + 2] = a2;
    bytes[to + i + 3] = a3;
    c0 = b0;
    c1 = b1;
    c2 = b2;
    c3 = b3;
  }
}

function undoPaeth3(bytes: Uint8Array, { from, to, rowBytes }: RowPlace): void {
  const above = to - rowBytes;
  let [a0, a1, a2] = [0, 0, 0];
  let [c0, c1, c2] = [0, 0, 0];
  for (let i = 0; i < rowBytes; i += 3) {
    const b0 = bytes[above + i] ?? 0;
    const b1 = bytes[above + i + 1] ?? 0;
    const b2 = bytes[above + i + 2] ?? 0;
    a0 = ((bytes[from + i] ?? 0) + nearest(a0, b0, c0)) & 0xff;
    a1 = ((bytes[from + i + 1] ?? 0) + nearest(a1, b1, c1)) & 0xff;
    a2 = ((bytes[from + i + 2] ?? 0) + nearest(a2, b2, c2)) & 0xff;
    bytes[to + i] = a0;
    bytes[to + i + 1] = a1;
    bytes[to + i + 2] = a2;
    c0 = b0;
    c1 = b1;
    c2 = b2;
  }
}

function undoPaethAny(bytes: Uint8Array, { from, to, rowBytes, pixelBytes }: RowPlace): void {
  const above = to - rowBytes;
  for (let i = 0; i < pixelBytes; i += 1) bytes[to + i] = (bytes[from + i] ?? 0) + (bytes[above + i] ?? 0); // left is zero, so above is nearest
  for (let i = pixelBytes; i < rowBytes; i += 1) {
    const left = bytes[to + i - pixelBytes] ?? 0;
    const predicted = nearest(left, bytes[above + i] ?? 0, bytes[above + i - pixelBytes] ?? 0);
    bytes[to + i] = (bytes[from + i] ?? 0) + predicted;
  }
}
