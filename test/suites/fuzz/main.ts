// `npm run fuzz [SEED] [ITERATIONS]`: changed frames and archives until stopped, or so many of each.
import { randomInt } from "node:crypto";
import { fuzzBundles, fuzzFrames } from "./run-fuzz.ts";

const ROUND = 20_000;
const [first, most] = process.argv.slice(2).map(Number);
let seed = first ?? randomInt(2 ** 32);
for (let left = most ?? Number.POSITIVE_INFINITY; left > 0; left -= ROUND, seed = (seed + 1) >>> 0) {
  const iterations = Math.min(ROUND, left);
  const frames = fuzzFrames(seed, iterations);
  const archives = await fuzzBundles(seed, iterations);
  console.log(JSON.stringify({ seed, iterations, frames, archives }));
}
