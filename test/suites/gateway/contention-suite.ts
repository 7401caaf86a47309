import { describe, expect, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { SLOTS } from "../../../contracts/flow.ts";
import { revokeWorker } from "../../../src/gateway/people/workers.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { withJob } from "./job-bench.ts";
import type { StoreUnderTest } from "./queue-bench.ts";

/** Rules 1, 9 and 10 where many want the same at the same time. */
export function contentionSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: at the same time`, () => {
    test("one worker that claims both slots gets one of them", async () => {
      const { take, worker } = await withJob(sut);
      const one = await worker();
      const codes = await Promise.all(SLOTS.map((slot) => codeOfPromise(take(one, slot))));
      expect(codes.sort()).toEqual(["worker_not_distinct", null].sort());
    });

    test("a revocation and a claim leave no lease with the revoked worker, whichever is first", async () => {
      const { queue, take, worker } = await withJob(sut, {
        limits: { ...STANDARD_LIMITS, max_claims: 100 },
      });
      for (let round = 0; round < 10; round += 1) {
        const one = await worker();
        const [code] = await Promise.all([codeOfPromise(take(one, "a")), revokeWorker(queue.store, one)]);
        expect([null, "worker_revoked"]).toContain(code);
        expect(await queue.store.read((rows) => rows.task("shot-1.a"))).toMatchObject({
          state: "ready",
          workerId: null,
        });
      }
    });

    test.each([2, 3, 12])(
      "%i workers finish a job whose results are rejected again and again",
      async (count) => {
        const limits = { ...STANDARD_LIMITS, max_claims: 100 };
        const { queue, win, worker } = await withJob(sut, { limits });
        const workers = await Promise.all(Array.from({ length: count }, () => worker()));
        const state = (slot: string) => queue.store.read((rows) => rows.task(`shot-1.${slot}`));
        for (let rejected = 0; rejected < 4; rejected += 1) {
          const attempts = workers.flatMap((one) => SLOTS.map((slot) => win(one, slot)));
          await Promise.allSettled(attempts);
          const [a, b] = await Promise.all(SLOTS.map(state));
          expect([a?.state, b?.state]).toEqual(["done", "done"]);
          expect(a?.workerId).not.toBe(b?.workerId);
          await reopen(queue, `shot-1.${SLOTS[rejected % 2]}`, "JOIN_FRAMES");
        }
      },
    );
  });
}
