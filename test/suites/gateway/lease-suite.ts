import { describe, expect, test } from "vitest";
import { heartbeat } from "../../../src/gateway/queue/heartbeat.ts";
import { readTask } from "../../../src/gateway/queue/read-task.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { codeOfPromise } from "../../support/code-of.ts";

import { ready, type StoreUnderTest, take } from "./queue-bench.ts";

/** Rule 3: what carries the fence. */
export function leaseSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: heartbeat and release`, () => {
    const wrong: [string, { workerId: string; fence: number }, number][] = [
      ["another worker", { workerId: "worker-b", fence: 1 }, 101],
      ["a fence too high", { workerId: "worker-a", fence: 2 }, 101],
      ["the second of the expiry", { workerId: "worker-a", fence: 1 }, 110],
    ];
    test.each(wrong)("%s changes nothing", async (_name, { workerId, fence }, second) => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      const before = await queue.store.read((rows) => rows.task("task"));
      clock.seconds = second;
      const lease = { taskId: "task", workerId, fence };
      expect(await codeOfPromise(heartbeat(queue, lease, null))).toBe("stale_or_invalid_lease");
      expect(await codeOfPromise(release(queue, lease, "X"))).toBe("stale_or_invalid_lease");
      expect(await queue.store.read((rows) => rows.task("task"))).toEqual(before);
    });

    test("the same worker's older fence is refused while its newer run holds the task", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 110;
      await take(queue, "worker-a");
      const old = { taskId: "task", workerId: "worker-a", fence: 1 };
      expect(await codeOfPromise(heartbeat(queue, old, null))).toBe("stale_or_invalid_lease");
    });

    test("progress of a heartbeat is told until the task is free again", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const lease = { taskId: "task", workerId: "worker-a", fence: 1 };
      const progress = {
        phase: "render",
        frame: 206,
        frames_done: 1,
        sample: 8,
        samples: 16,
        watchdog_left_s: 100,
      } as const;
      await heartbeat(queue, lease, progress);
      expect((await readTask(queue, "task", null)).progress).toEqual(progress);
      await release(queue, lease, "X");
      expect((await readTask(queue, "task", null)).progress).toBeNull();
    });
  });
}
