import { expect, test } from "vitest";
import type { HistoryEvent } from "../../support/history.ts";
import { checkHistory } from "../../support/history-checker.ts";
import { scaled, testSeed } from "../../support/scale.ts";
import { playHistory } from "./play-history.ts";
import { playSchedule } from "./play-schedule.ts";

const HISTORIES = scaled(2, 20);

const answer = ({ op, outcome, replayed }: HistoryEvent): string =>
  `${op} ${outcome}${replayed ? " again" : ""}`;

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
    for (const name of history.events.map(answer)) counts.set(name, (counts.get(name) ?? 0) + 1);
    expect(checkHistory(history), `seed ${seed + index * 100}`).toEqual([]);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `histories: ${HISTORIES} with 6 workers in 3 processes, ${HISTORIES * 2} kills, ${total} calls, seed ${seed}; ${[...counts].map((row) => row.join(" ")).join(", ")}`,
  );
  expect(counts.get("claim ok") ?? 0).toBeGreaterThan(0);
});

test("every answer that play at random may miss is given once by plan, and keeps every invariant", async () => {
  const history = await playSchedule("every-answer", null);
  expect(history.events.map(answer)).toEqual([
    "claim ok",
    "claim ok again",
    "release ok",
    "submit stale_or_invalid_lease",
    "claim ok",
    "submit ok",
    "submit ok again",
    "submit idempotency_conflict",
  ]);
  expect(checkHistory(history)).toEqual([]);
});
