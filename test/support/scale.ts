/**
 * How much of a long test is played: a sample in `npm test`, the whole in the named npm scripts (which set
 * TEST_WHOLE=1). TEST_SEED repeats a run; the seed is always printed.
 */
export const scaled = (sample: number, whole: number): number =>
  process.env["TEST_WHOLE"] === "1" ? whole : sample;

export const testSeed = (): number => Number(process.env["TEST_SEED"] ?? Date.now() % 2_147_483_647);

/** A small generator of numbers in [0, 1) that gives the same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
