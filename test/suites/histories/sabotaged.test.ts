import { expect, test } from "vitest";
import type { Invariant } from "../../support/history.ts";
import { checkHistory } from "../../support/history-checker.ts";
import type { Mutation } from "../../support/mutations.ts";
import { scaled, testSeed } from "../../support/scale.ts";
import { playHistory } from "./play-history.ts";

// Test builds of the gateway with one rule broken: histories of real client processes must show it.

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
const TRIES = 4;
const seed = testSeed();
/** A sample of these in `npm test`, all of them in `npm run test:histories`. */
const PLAYED = scaled(2, ROWS.length);
const first = seed % ROWS.length;
const rows = [...ROWS, ...ROWS].slice(first, first + PLAYED);
console.log(`histories: ${PLAYED} of ${ROWS.length} broken gateways, seed ${seed}`);

test.each(rows)("a gateway with %s is caught by %s", { timeout: 120_000 }, async (mutation, invariant) => {
  const seen = new Set<string>();
  for (let turn = 0; turn < TRIES && !seen.has(invariant); turn += 1) {
    const plan = {
      seed: seed + turn,
      milliseconds: 6_000 + turn * 4_000,
      clients: 2,
      kills: 0,
      mutation,
      eager: true,
    };
    for (const violation of checkHistory(await playHistory(plan))) seen.add(violation.invariant);
  }
  expect([...seen], `seed ${seed}`).toContain(invariant);
});
