import { describe, expect, test } from "vitest";
import { type Job, STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { STANDARD_POLICY } from "../../../contracts/documents/policy.ts";
import type { Slot } from "../../../contracts/flow.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { registerWorker, revokeWorker } from "../../../src/gateway/people/workers.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { heartbeat } from "../../../src/gateway/queue/heartbeat.ts";
import { putJob } from "../../../src/gateway/queue/put-job.ts";
import { readObject } from "../../../src/gateway/queue/read-object.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { recordBlob } from "../../../src/gateway/queue/upload.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { BUNDLE, SCENE, sampleJob, sampleResult } from "../../support/gateway-job.ts";
import { type Bench, openBench, type StoreUnderTest } from "./queue-suite.ts";

type Worker = string;
const blobOf = (bytes: Buffer) => ({ sha256: sha256(bytes), bytes: bytes.byteLength });

interface JobBench extends Bench {
  readonly job: Job;
  worker(operator?: string | null): Promise<Worker>;
  take(worker: Worker, slot: Slot): ReturnType<typeof claim>;
  /** Claims and submits; the fence. */
  win(worker: Worker, slot: Slot): Promise<number>;
}

async function withJob(sut: StoreUnderTest, change: Partial<Job> = {}): Promise<JobBench> {
  const bench = await openBench(sut);
  const { queue, clock } = bench;
  const job = sampleJob(change);
  await recordBlob(queue, blobOf(SCENE));
  await recordBlob(queue, blobOf(BUNDLE));
  await putJob(queue, canonicalBytes(job));
  let keys = 0;
  const take = (workerId: Worker, slot: Slot) =>
    claim(queue, { taskId: `${job.job_id}.${slot}`, workerId, idempotencyKey: null });
  return {
    ...bench,
    job,
    take,
    worker: async (operator = null) =>
      (await registerWorker(queue.store, clock, { name: "worker", operator, public_key: null })).worker_uuid,
    win: async (worker, slot) => {
      const { fencing_token } = (await take(worker, slot)).answer;
      keys += 1;
      await submit(queue, slotBody(job, { worker, slot, fence: fencing_token }), `key-${keys}`);
      return fencing_token;
    },
  };
}

const slotBody = (
  job: Job,
  { worker, slot, fence, result }: { worker: Worker; slot: Slot; fence: number; result?: unknown },
): Buffer =>
  canonicalBytes({
    task_id: `${job.job_id}.${slot}`,
    worker_id: worker,
    fencing_token: fence,
    result: result ?? sampleResult(job, slot),
  });

/** Rules of slot tasks: caps, distinct workers, passing over, results, objects. */
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

  describe(`${sut.name}: claiming slots`, () => {
    test("after max_claims of one version the attempts are exhausted, and reopening counts anew", async () => {
      const limits = { ...STANDARD_LIMITS, max_claims: 2, lease_seconds: 10 };
      const { clock, take, worker, queue, win } = await withJob(sut, { limits });
      const [one, two] = [await worker(), await worker()];
      await take(one, "a");
      clock.seconds = 110;
      await win(one, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      await take(two, "a");
      clock.seconds = 120;
      await take(two, "a");
      clock.seconds = 130;
      expect(await codeOfPromise(take(two, "a"))).toBe("attempts_exhausted");
    });

    test("the holder of one slot is refused the other, and so is its winner", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two] = [await worker(), await worker()];
      await take(one, "a");
      expect(await codeOfPromise(take(one, "b"))).toBe("worker_not_distinct");
      await win(two, "b");
      await revokeWorker(queue.store, one);
      expect(await codeOfPromise(take(two, "a"))).toBe("worker_not_distinct");
    });

    test("a worker whose lease has ended may take the other slot", async () => {
      const { take, worker, clock } = await withJob(sut);
      const one = await worker();
      await take(one, "a");
      clock.seconds = 160;
      expect((await take(one, "b")).answer.fencing_token).toBe(1);
    });

    test("one worker may take both slots where the policy does not refuse it at claim", async () => {
      const { win, worker } = await withJob(sut, {
        policy: { ...STANDARD_POLICY, distinct_at_claim: false },
      });
      const one = await worker();
      await win(one, "a");
      expect(await win(one, "b")).toBe(1);
    });

    test("where operators must differ, two workers of one operator are refused at claim", async () => {
      const policy = { ...STANDARD_POLICY, distinct: "operator" } as const;
      const { take, worker } = await withJob(sut, { policy });
      const [one, two, three] = [await worker("ann"), await worker("ann"), await worker("bob")];
      await take(one, "a");
      expect(await codeOfPromise(take(two, "b"))).toBe("worker_not_distinct");
      expect((await take(three, "b")).answer.worker_id).toBe(three);
    });

    test("a worker whose result was rejected is passed over until nobody else is left", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two, three] = [await worker(), await worker(), await worker()];
      await win(one, "a");
      await win(two, "b");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      expect(await codeOfPromise(take(one, "a"))).toBe("worker_passed_over");
      await revokeWorker(queue.store, three);
      expect((await take(one, "a")).answer).toMatchObject({ version: 2, fencing_token: 2 });
    });

    test("two workers that were both passed over do not wait for each other for ever", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two, sibling] = [await worker(), await worker(), await worker()];
      await win(sibling, "b");
      await win(one, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      await win(two, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      expect((await take(one, "a")).answer.version).toBe(3);
    });

    test("a revoked worker's lease ends, its claim is refused and its accepted result stays", async () => {
      const { queue, take, worker, win } = await withJob(sut);
      const [one, two] = [await worker(), await worker()];
      await win(one, "a");
      await take(two, "b");
      const lease = { taskId: "shot-1.b", workerId: two, fence: 1 };
      const first = await revokeWorker(queue.store, two);
      expect(await codeOfPromise(heartbeat(queue, lease, null))).toBe("stale_or_invalid_lease");
      expect(await codeOfPromise(take(two, "b"))).toBe("worker_revoked");
      await revokeWorker(queue.store, one);
      expect((await queue.store.read((rows) => rows.task("shot-1.a")))?.state).toBe("done");
      expect(await revokeWorker(queue.store, two)).toEqual(first);
    });

    test("heartbeats do not lead past claimed_at + slot_seconds", async () => {
      const limits = { ...STANDARD_LIMITS, lease_seconds: 60, slot_seconds: 90 };
      const { queue, take, worker, clock } = await withJob(sut, { limits });
      const one = await worker();
      expect((await take(one, "a")).answer.lease_seconds).toBe(60);
      const lease = { taskId: "shot-1.a", workerId: one, fence: 1 };
      clock.seconds = 140;
      expect(await heartbeat(queue, lease, null)).toEqual({
        lease_expires_at: "1970-01-01T00:03:10Z",
        lease_seconds: 50,
      });
      clock.seconds = 190;
      expect(await codeOfPromise(heartbeat(queue, lease, null))).toBe("stale_or_invalid_lease");
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
