import { expect, test } from "vitest";
import { checkHistory } from "../../support/history-checker.ts";
import { scaled, testSeed } from "../../support/scale.ts";
import { playHistory } from "./play-history.ts";

const HISTORIES = scaled(2, 20);

test("histories of several client processes over a gateway that is killed keep every invariant", {
  timeout: 60_000 * HISTORIES,
}, async () => {
  const seed = testSeed();
  const counts = new Map<string, number>();
  for (let index = 0; index < HISTORIES; index += 1) {
    const history = await playHistory({
      seed: seed + index * 100,
      milliseconds: 7_000,
      clients: 3,
      kills: 2,
    });
    for (const { op, outcome, replayed } of history.events) {
      const name = `${op} ${outcome}${replayed ? " again" : ""}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect(checkHistory(history), `seed ${seed + index * 100}`).toEqual([]);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `histories: ${HISTORIES} with 6 workers in 3 processes, ${HISTORIES * 2} kills, ${total} calls, seed ${seed}; ${[...counts].map((row) => row.join(" ")).join(", ")}`,
  );
  for (const name of [
    "claim ok",
    "claim ok again",
    "submit ok",
    "submit ok again",
    "submit stale_or_invalid_lease",
  ])
    expect(counts.get(name) ?? 0, name).toBeGreaterThan(0);
});
