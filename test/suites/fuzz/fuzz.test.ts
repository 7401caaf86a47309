import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { type FuzzCounts, fuzzBundles, fuzzFrames } from "./run-fuzz.ts";

/** A new one each time, unless RENDER_HANDOFF_FUZZ_SEED repeats one; `npm run fuzz` goes on for longer. */
const seed = Number(process.env["RENDER_HANDOFF_FUZZ_SEED"] ?? randomInt(2 ** 32));
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
