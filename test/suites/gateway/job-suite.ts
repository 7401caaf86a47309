import { describe, expect, test } from "vitest";
import { type Job, STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { putJob } from "../../../src/gateway/queue/put-job.ts";
import { readObject } from "../../../src/gateway/queue/read-object.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { recordBlob } from "../../../src/gateway/queue/upload.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { BUNDLE, SCENE, sampleJob, sampleResult } from "../../support/gateway-job.ts";
import { blobOf, slotBody, withJob } from "./job-bench.ts";
import { openBench, type StoreUnderTest } from "./queue-bench.ts";

/** Putting jobs, and what an accepted result of a slot becomes. */
export function jobSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: putting a job`, () => {
    test("the same bytes again change nothing, other bytes of its id are a conflict", async () => {
      const { queue, job } = await withJob(sut);
      expect(await putJob(queue, canonicalBytes(job))).toMatchObject({ created: false });
      const other = sampleJob({ limits: { ...STANDARD_LIMITS, max_claims: 9 } });
      expect(await codeOfPromise(putJob(queue, canonicalBytes(other)))).toBe("task_identity_conflict");
    });

    const broken: [string, Buffer, string][] = [
      ["bytes that are not canonical", Buffer.from(JSON.stringify(sampleJob(), null, 1)), "job_invalid"],
      ["an unknown field", canonicalBytes({ ...sampleJob(), further: 1 }), "job_invalid"],
      [
        "slots with a gap",
        canonicalBytes({
          ...sampleJob(),
          slots: [
            { id: "a", first: 1, last: 2 },
            { id: "b", first: 4, last: 5 },
          ],
        }),
        "job_invalid",
      ],
      ["no JSON", Buffer.from("{"), "invalid_json"],
      ["a key twice", Buffer.from('{"a":1,"a":1}'), "duplicate_json_key"],
    ];
    test.each(broken)("a job of %s is refused", async (_name, bytes, code) => {
      const { queue } = await openBench(sut);
      expect(await codeOfPromise(putJob(queue, bytes))).toBe(code);
    });

    test("a job whose scene is not there, or in another size, stores nothing", async () => {
      const { queue } = await openBench(sut);
      const bytes = canonicalBytes(sampleJob());
      expect(await codeOfPromise(putJob(queue, bytes))).toBe("blob_missing");
      await recordBlob(queue, { sha256: sha256(SCENE), bytes: 1 });
      expect(await codeOfPromise(putJob(queue, bytes))).toBe("blob_missing");
      expect(await queue.store.read((rows) => rows.task("shot-1.a"))).toBeNull();
    });
  });

  describe(`${sut.name}: results and objects of slots`, () => {
    const refused: [string, (job: Job) => unknown, string][] = [
      ["another slot's result", (job) => sampleResult(job, "b"), "result_invalid"],
      [
        "another job's result",
        (job) => ({ ...sampleResult(job, "a"), job_sha256: "0".repeat(64) }),
        "result_invalid",
      ],
      ["a result without frames", (job) => ({ ...sampleResult(job, "a"), frames: [] }), "result_invalid"],
      [
        "a bundle that is not there",
        (job) => sampleResult(job, "a", Buffer.from("never uploaded")),
        "blob_missing",
      ],
      [
        "a bundle of another size",
        (job) => ({ ...sampleResult(job, "a"), bundle: { ...blobOf(BUNDLE), bytes: 1 } }),
        "blob_missing",
      ],
    ];
    test.each(refused)("%s is refused and the lease goes on", async (_name, result, code) => {
      const { queue, job, take, worker } = await withJob(sut);
      const one = await worker();
      const { fencing_token: fence } = (await take(one, "a")).answer;
      const attempt = { worker: one, slot: "a", fence } as const;
      const bad = slotBody(job, { ...attempt, result: result(job) });
      expect(await codeOfPromise(submit(queue, bad, "key-1"))).toBe(code);
      expect((await submit(queue, slotBody(job, attempt), "key-1")).replayed).toBe(false);
    });

    test("an accepted submit is an object whose digest is the receipt's result_sha256", async () => {
      const { queue, worker, win, job } = await withJob(sut);
      const one = await worker();
      await win(one, "a");
      const object = await readObject(queue, { key: "shot-1.a", version: null, sha256: null, reader: null });
      const result = canonicalBytes(sampleResult(job, "a"));
      const receipt = await queue.store.read((rows) => rows.receipt("shot-1.a", 1));
      expect(object).toMatchObject({
        object_key: "shot-1.a",
        version_num: 1,
        version_count: 1,
        worker_uuid: one,
        sha256_hash: sha256(result),
        integrity_status: "verified",
        total_payload_bytes: result.byteLength,
        fencing_token: 1,
        receipt_sha256: sha256(receipt?.receipt ?? ""),
        payload: sampleResult(job, "a"),
      });
      expect(JSON.parse(String(receipt?.receipt))).toMatchObject({ result_sha256: object.sha256_hash });
    });

    test("after reopening and a second win both versions can be read, and the count is of both", async () => {
      const { queue, worker, win } = await withJob(sut);
      const [one, two] = [await worker(), await worker()];
      await win(one, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      await win(two, "a");
      const read = (version: number | null, digest: string | null = null) =>
        readObject(queue, { key: "shot-1.a", version, sha256: digest, reader: null });
      expect(await read(1)).toMatchObject({ version_num: 1, version_count: 2, worker_uuid: one });
      expect(await read(null)).toMatchObject({ version_num: 2, version_count: 2, worker_uuid: two });
      expect(await codeOfPromise(read(3))).toBe("object_version_unknown");
      expect(await codeOfPromise(read(null, "0".repeat(64)))).toBe("object_version_unknown");
      expect(
        await codeOfPromise(readObject(queue, { key: "x", version: 1, sha256: null, reader: null })),
      ).toBe("object_unknown");
    });
  });
}
