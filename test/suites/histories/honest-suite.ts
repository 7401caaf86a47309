import { expect, test } from "vitest";
import type { HistoryEvent } from "../../support/history.ts";
import { checkHistory } from "../../support/history-checker.ts";
import { testSeed } from "../../support/scale.ts";
import { playHistory } from "./play-history.ts";
import { playSchedule } from "./play-schedule.ts";

export interface HonestStore {
  readonly name: string;
  /** A new database; null for one in the gateway's data folder. */
  database(): Promise<string | null>;
}

const answer = ({ op, outcome, replayed }: HistoryEvent): string =>
  `${op} ${outcome}${replayed ? " again" : ""}`;

/** Histories over a gateway that keeps every rule, on its store. */
export function honestSuite({ name, database }: HonestStore, histories: number): void {
  const store = async (): Promise<{ storeUrl?: string }> => {
    const storeUrl = await database();
    return storeUrl === null ? {} : { storeUrl };
  };

  test(`${name}: histories of several client processes over a gateway that is killed keep every invariant`, {
    timeout: 60_000 * histories,
  }, async () => {
    const seed = testSeed();
    const counts = new Map<string, number>();
    for (let index = 0; index < histories; index += 1) {
      const history = await playHistory({
        ...(await store()),
        seed: seed + index * 100,
        milliseconds: 7_000,
        clients: 3,
        kills: 2,
      });
      for (const one of history.events.map(answer)) counts.set(one, (counts.get(one) ?? 0) + 1);
      const reopened = history.events.filter(({ op }) => op === "reopen").map(({ outcome }) => outcome);
      expect(["ok", "not_done", "unknown"]).toEqual(expect.arrayContaining([...new Set(reopened)]));
      expect(checkHistory(history), `seed ${seed + index * 100}`).toEqual([]);
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `histories on ${name}: ${histories} with 6 workers in 3 processes, ${histories * 2} kills, ${total} calls, seed ${seed}; ${[...counts].map((row) => row.join(" ")).join(", ")}`,
    );
    expect(counts.get("claim ok") ?? 0).toBeGreaterThan(0);
  });

  test(`${name}: every answer that play at random may miss is given once by plan, and keeps every invariant`, async () => {
    const history = await playSchedule("every-answer", await store());
    expect(history.events.map(answer)).toEqual([
      "claim ok",
      "claim ok again",
      "release ok",
      "submit stale_or_invalid_lease",
      "claim ok",
      "heartbeat ok",
      "submit ok",
      "submit ok again",
      "submit idempotency_conflict",
      "reopen ok",
      "reopen not_done",
      "submit ok again",
      "claim ok",
      "submit ok",
    ]);
    expect(history.final.map(({ version, state }) => `${state} ${version}`)).toContain("done 2");
    expect(checkHistory(history)).toEqual([]);
  });
}
