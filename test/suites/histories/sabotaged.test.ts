import { expect, test } from "vitest";
import type { Invariant } from "../../support/history.ts";
import { checkHistory } from "../../support/history-checker.ts";
import type { Mutation } from "../../support/mutations.ts";
import { scaled, testSeed } from "../../support/scale.ts";
import { playSchedule } from "./play-schedule.ts";

// Test builds of the gateway with one rule broken: a client process plays the calls that must show it.

const ROWS: readonly (readonly [Mutation, Invariant])[] = [
  ["fence-not-compared", "stale-fence"],
  ["zombie-accepted", "stale-fence"],
  ["fence-stands-still", "fence-grows"],
  ["spent-key-claims", "spent-key"],
  ["slot-held-hostage", "slot-seconds"],
  ["lost-commits", "acknowledged-survives"],
  ["replay-rewritten", "replay-bytes"],
  ["conflict-overlooked", "replay-bytes"],
  ["expiry-ignored", "expired-lease"],
];
const seed = testSeed();
/** A sample of these in `npm test`, all of them in `npm run test:histories`. */
const PLAYED = scaled(3, ROWS.length);
const first = seed % ROWS.length;
const rows = [...ROWS, ...ROWS].slice(first, first + PLAYED);
console.log(`histories: ${PLAYED} of ${ROWS.length} broken gateways, seed ${seed}`);

test.each(rows)("a gateway with %s is caught by %s, a sound one is not", async (mutation, invariant) => {
  const broken = checkHistory(await playSchedule(mutation, { mutation }));
  expect(broken.map((violation) => violation.invariant)).toContain(invariant);
  expect(checkHistory(await playSchedule(mutation))).toEqual([]);
});
