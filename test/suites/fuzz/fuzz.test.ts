import { expect, test } from "vitest";
import { type FuzzCounts, fuzzBundles, fuzzFrames } from "./run-fuzz.ts";

/** Always the same here, unless RENDER_HANDOFF_FUZZ_SEED names another; `npm run fuzz` tries new ones. */
const seed = Number(process.env["RENDER_HANDOFF_FUZZ_SEED"] ?? 20_261_130);
const ITERATIONS = 4_000;

const tell = (what: string, { accepted, refused, codes }: FuzzCounts): void =>
  console.log(
    `fuzz: seed ${seed}, ${what}: ${accepted} accepted, ${refused} refused, ${Object.keys(codes).length} codes`,
  );

test("no changed frame crashes the check or is accepted with other pixels", () => {
  const counts = fuzzFrames(seed, ITERATIONS);
  tell("frames", counts);
  expect(counts.accepted).toBeGreaterThan(0);
  expect(Object.keys(counts.codes).length).toBeGreaterThan(20);
});

test("no changed archive crashes the reader or is accepted with other members", async () => {
  const counts = await fuzzBundles(seed, ITERATIONS);
  tell("archives", counts);
  expect(counts.accepted).toBeGreaterThan(0);
  expect(Object.keys(counts.codes).length).toBeGreaterThan(15);
});
