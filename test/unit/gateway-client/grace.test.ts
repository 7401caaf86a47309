import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { startGrace } from "../../../src/gateway-client/deadline.ts";

/** A grace whose time is up when the test says so. */
function held(outer: AbortSignal) {
  const waits: { milliseconds: number; over: () => void }[] = [];
  const clock = {
    ...systemClock,
    sleep: (milliseconds: number) =>
      new Promise<void>((over) => {
        waits.push({ milliseconds, over });
      }),
  };
  return { waits, grace: startGrace({ clock, milliseconds: 2_000, outer }) };
}

test("a grace begins when the other signal aborts, and ends with its reason", async () => {
  const outer = new AbortController();
  const { waits, grace } = held(outer.signal);
  expect(waits).toEqual([]);
  outer.abort("SIGTERM");
  expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([2_000]);
  expect(grace.signal.aborted).toBe(false);
  waits[0]?.over();
  await turn();
  expect([grace.signal.aborted, grace.signal.reason]).toEqual([true, "SIGTERM"]);
});

test("a grace that was stopped begins no more; one of a signal that has aborted begins at once", () => {
  const outer = new AbortController();
  const stopped = held(outer.signal);
  stopped.grace.stop();
  outer.abort();
  expect(stopped.waits).toEqual([]);
  expect(held(outer.signal).waits).toHaveLength(1);
});
