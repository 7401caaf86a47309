import { expect, test } from "vitest";
import { endFamily } from "../../../src/blender/process/end-family.ts";
import type { Clock } from "../../../src/core/clock.ts";

// A pid beyond the kernel's largest: signals to it change nothing.
const member = { pid: 2 ** 30, parent: 1, group: 1, session: 1, startTicks: 1 };

function quickClock(): Clock & { waited: number } {
  const clock = {
    waited: 0,
    wallSeconds: () => 0,
    monotonicMs: () => clock.waited,
    sleep: async (milliseconds: number) => {
      clock.waited += milliseconds;
    },
    uuid: () => "",
    random: () => 0,
  };
  return clock;
}

test("a member that outlives SIGKILL ends in 'alive' after a bounded wait", async () => {
  const clock = quickClock();
  expect(await endFamily({ living: () => [member], graceMs: 2_000, clock })).toBe("alive");
  expect(clock.waited).toBeLessThan(6_000);
});

test("a family that ends by itself within the grace is gone without more waiting", async () => {
  const clock = quickClock();
  const living = () => (clock.waited < 100 ? [member] : []);
  expect(await endFamily({ living, graceMs: 2_000, clock })).toBe("gone");
  expect(clock.waited).toBeLessThan(200);
});

test("an empty family is gone at once", async () => {
  const clock = quickClock();
  expect(await endFamily({ living: () => [], graceMs: 0, clock })).toBe("gone");
  expect(clock.waited).toBe(0);
});
