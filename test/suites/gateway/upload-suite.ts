import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import type { HeldLease } from "../../../src/gateway/queue/rows.ts";
import { recordBlob, recordUpload, releaseUpload, reserveUpload } from "../../../src/gateway/queue/upload.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { blobOf, type JobBench, withJob } from "./job-bench.ts";
import type { StoreUnderTest } from "./queue-bench.ts";

/** Bytes that nobody has sent yet; two of the usual size fit. */
const some = (bytes = 10_000) => blobOf(randomBytes(bytes));

async function holding(
  sut: StoreUnderTest,
  bundle_bytes = 25_000,
): Promise<{ bench: JobBench; lease: HeldLease }> {
  const bench = await withJob(sut, { limits: { ...STANDARD_LIMITS, bundle_bytes } });
  const workerId = await bench.worker();
  const { answer } = await bench.take(workerId, "a");
  return { bench, lease: { taskId: "shot-1.a", workerId, fence: answer.fencing_token } };
}

/** Room for uploads under a lease: bundle_bytes counts what is stored and what is on its way. */
export function uploadSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: room for uploads`, () => {
    test("of many that ask at once only so many are let in as fit together", async () => {
      const { bench, lease } = await holding(sut);
      const asked = Array.from({ length: 8 }, () => reserveUpload(bench.queue, lease, some()).then(() => ""));
      const codes = await Promise.all(asked.map((one) => one.catch((thrown) => String(thrown.code))));
      expect(codes.sort()).toEqual(["", "", ...Array(6).fill("blob_too_large")]);
    });

    test("is taken still after a restart, and free again when the upload was given up", async () => {
      const { bench, lease } = await holding(sut);
      const [one, two, three] = [some(), some(), some()];
      await reserveUpload(bench.queue, lease, one);
      await reserveUpload(bench.queue, lease, two);
      const queue = await bench.restart();
      expect(await codeOfPromise(reserveUpload(queue, lease, three))).toBe("blob_too_large");
      // the same again needs no more
      await reserveUpload(queue, lease, two);
      await releaseUpload(queue, lease, one.sha256);
      await reserveUpload(queue, lease, three);
    });

    test("that a stored blob takes is neither given back nor made smaller", async () => {
      const { bench, lease } = await holding(sut);
      const [one, two, three] = [some(), some(), some()];
      for (const blob of [one, two]) {
        await reserveUpload(bench.queue, lease, blob);
        expect(await recordUpload(bench.queue, lease, blob)).toBe(true);
      }
      await reserveUpload(bench.queue, lease, { sha256: one.sha256, bytes: 0 });
      await releaseUpload(bench.queue, lease, one.sha256);
      expect(await codeOfPromise(reserveUpload(bench.queue, lease, three))).toBe("blob_too_large");
    });

    test("is asked for again when the bytes are recorded: somebody may have given it back", async () => {
      const { bench, lease } = await holding(sut);
      const [one, two, three] = [some(), some(), some()];
      for (const blob of [one, two]) await reserveUpload(bench.queue, lease, blob);
      await releaseUpload(bench.queue, lease, one.sha256);
      await reserveUpload(bench.queue, lease, three);
      expect(await codeOfPromise(recordUpload(bench.queue, lease, one))).toBe("blob_too_large");
      expect(await bench.queue.store.read((rows) => rows.blobBytes(one.sha256))).toBe(null);
    });

    test("is under the lease: with its end there is none, and a new lease begins with all of it", async () => {
      const { bench, lease } = await holding(sut);
      await reserveUpload(bench.queue, lease, some());
      await reserveUpload(bench.queue, lease, some());
      bench.clock.seconds = 160;
      expect(await codeOfPromise(reserveUpload(bench.queue, lease, some()))).toBe("stale_or_invalid_lease");
      const { answer } = await bench.take(lease.workerId, "a");
      const next = { ...lease, fence: answer.fencing_token };
      await reserveUpload(bench.queue, next, some());
      await reserveUpload(bench.queue, next, some());
    });

    test("is at least 4096 bytes a blob, so that small ones are bounded in number", async () => {
      const { bench, lease } = await holding(sut, 3 * LIMITS.blobRoomBytes);
      for (const blob of [some(4), some(LIMITS.blobRoomBytes), some(5)])
        await reserveUpload(bench.queue, lease, blob);
      for (const blob of [some(6), some(0)])
        expect(await codeOfPromise(reserveUpload(bench.queue, lease, blob))).toBe("blob_too_large");
    });

    test.each([20, LIMITS.blobRoomBytes, 25_000])(
      "is there for a blob as large as the cap, %i",
      async (cap) => {
        const { bench, lease } = await holding(sut, cap);
        expect(await codeOfPromise(reserveUpload(bench.queue, lease, some(cap + 1)))).toBe("blob_too_large");
        const bundle = some(cap);
        await reserveUpload(bench.queue, lease, bundle);
        expect(await recordUpload(bench.queue, lease, bundle)).toBe(true);
      },
    );

    test("the administrator needs none", async () => {
      const { bench } = await holding(sut);
      expect(await recordBlob(bench.queue, blobOf(randomBytes(26_000)))).toBe(true);
    });
  });
}
