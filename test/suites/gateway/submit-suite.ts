import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { parseStrict } from "../../../src/core/json/parse-strict.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { readReceipt } from "../../../src/gateway/queue/read-receipt.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { codeOfPromise } from "../../support/code-of.ts";

import { bodyOf, openBench, ready, type StoreUnderTest, take } from "./queue-bench.ts";

/** Rules 4 and 5: receipts, replays, stale and malformed submits. */
export function submitSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: submit`, () => {
    test("the receipt is the canonical form of exactly eight fields", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const raw = Buffer.from(
        '{ "result": {"b": 1, "a": "雪"}, "task_id": "task", "worker_id": "worker-a", "fencing_token": 1 }',
      );
      const { receipt } = await submit(queue, raw, "key-1");
      expect(receipt.toString("utf8")).toBe(
        `{"fencing_token":1,"idempotency_key":"key-1","lease_expires_at":"1970-01-01T00:01:50Z",` +
          `"request_sha256":"${sha256(raw)}","result_sha256":"${sha256('{"a":"雪","b":1}')}",` +
          `"state":"done","task_id":"task","worker_id":"worker-a"}`,
      );
      const kept = await readReceipt(queue, { taskId: "task", version: null, reader: null });
      expect(kept.request.equals(raw)).toBe(true);
    });

    test("a key __proto__ is handed out, digested and told apart like any other", async () => {
      const { queue } = await openBench(sut);
      const [one, two] = ["1", "2"].map((value) => parseStrict(Buffer.from(`{"__proto__":${value}}`)));
      const task = { taskId: "task", leaseSeconds: 10 };
      await enqueue(queue, { ...task, payload: one ?? null });
      expect(await codeOfPromise(enqueue(queue, { ...task, payload: two ?? null }))).toBe(
        "task_identity_conflict",
      );
      const { answer } = await take(queue, "worker-a");
      expect(canonicalBytes(answer.payload).toString()).toBe('{"__proto__":1}');
      const raw =
        '{"task_id":"task","worker_id":"worker-a","fencing_token":1,"result":{"__proto__":{"answer":42}}}';
      const receipt = JSON.parse((await submit(queue, Buffer.from(raw), "key-1")).receipt.toString());
      expect(receipt.result_sha256).toBe(sha256('{"__proto__":{"answer":42}}'));
    });

    test("the same key and bytes give the stored receipt after expiry, completion and restart", async () => {
      const bench = await ready(sut);
      await take(bench.queue, "worker-a");
      const first = await submit(bench.queue, bodyOf("worker-a", 1), "key-1");
      bench.clock.seconds = 999;
      const queue = await bench.restart();
      const again = await submit(queue, bodyOf("worker-a", 1), "key-1");
      expect(again).toMatchObject({ replayed: true, superseded: false });
      expect(again.receipt.equals(first.receipt)).toBe(true);
    });

    test("after reopening the old receipt comes as superseded, and both receipts stay on record", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const first = await submit(queue, bodyOf("worker-a", 1), "key-1");
      await reopen(queue, "task", "JOIN_FRAMES");
      expect(await submit(queue, bodyOf("worker-a", 1), "key-1")).toEqual({
        receipt: first.receipt,
        replayed: true,
        superseded: true,
      });
      await take(queue, "worker-b");
      const second = await submit(queue, bodyOf("worker-b", 2), "key-2");
      const read = async (version: number | null) =>
        (await readReceipt(queue, { taskId: "task", version, reader: null })).receipt;
      expect(await read(1)).toEqual(first.receipt);
      expect(await read(2)).toEqual(second.receipt);
      expect(await read(null)).toEqual(second.receipt);
    });

    test("the same key with other bytes is a conflict, white space included", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      await submit(queue, bodyOf("worker-a", 1), "key-1");
      const spaced = Buffer.concat([bodyOf("worker-a", 1), Buffer.from("\n")]);
      expect(await codeOfPromise(submit(queue, spaced, "key-1"))).toBe("idempotency_conflict");
      expect(await codeOfPromise(submit(queue, bodyOf("worker-b", 9), "key-1"))).toBe("idempotency_conflict");
    });

    test("a done task refuses any unused key", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      await submit(queue, bodyOf("worker-a", 1), "key-1");
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 1), "key-2"))).toBe("not_ready");
      expect(await codeOfPromise(take(queue, "worker-b"))).toBe("not_ready");
    });

    test("a stale submit is refused and changes nothing while the newer worker holds the task", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 110;
      await take(queue, "worker-b");
      const before = await queue.store.read((rows) => rows.task("task"));
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 1), "key-1"))).toBe(
        "stale_or_invalid_lease",
      );
      expect(await queue.store.read((rows) => rows.task("task"))).toEqual(before);
      expect(await queue.store.read((rows) => rows.receiptByKey("task", "key-1"))).toBeNull();
    });

    test("at exactly the second of the expiry a new completion is refused", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 110;
      expect(await codeOfPromise(submit(queue, bodyOf("worker-a", 1), "key-1"))).toBe(
        "stale_or_invalid_lease",
      );
      clock.seconds = 109;
      expect((await submit(queue, bodyOf("worker-a", 1), "key-1")).replayed).toBe(false);
    });

    const malformed: [string, string, string][] = [
      ["a duplicate key", '{"task_id":"task","task_id":"task"}', "duplicate_json_key"],
      ["a number that is not finite", '{"result":1e999}', "invalid_json"],
      ["no JSON", "NaN", "invalid_json"],
      ["a missing field", '{"task_id":"task","worker_id":"w","fencing_token":1}', "invalid_request_shape"],
      [
        "a further field",
        '{"task_id":"task","worker_id":"w","fencing_token":1,"result":1,"x":1}',
        "invalid_request_shape",
      ],
      [
        "a boolean fence",
        '{"task_id":"task","worker_id":"w","fencing_token":true,"result":1}',
        "invalid_request_shape",
      ],
      [
        "an absent fence",
        '{"task_id":"task","worker_id":"w","fencing_token":null,"result":1}',
        "invalid_request_shape",
      ],
      [
        "an empty worker",
        '{"task_id":"task","worker_id":"","fencing_token":1,"result":1}',
        "invalid_request_shape",
      ],
      ["an array", "[]", "invalid_request_shape"],
    ];
    test.each(malformed)("a body with %s is refused with its code", async (_name, text, code) => {
      const { queue } = await ready(sut);
      expect(await codeOfPromise(submit(queue, Buffer.from(text), "key-1"))).toBe(code);
    });

    test("a last write that changes no row takes the others of its transaction back", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const refused = queue.store.write(async (rows) => {
        const lease = { taskId: "task", workerId: "worker-a", fence: 2 };
        const { now } = await rows.forSubmit("task", "key-1");
        const reason = rows.releaseLease({ ...lease, fence: 1 }, now, "FIRST");
        const finished = rows.finishTask(lease, now, "{}");
        rows.conclude([reason, finished], () => new HandoffError("stale_or_invalid_lease"));
      });
      expect(await codeOfPromise(refused)).toBe("stale_or_invalid_lease");
      expect(await queue.store.read((rows) => rows.task("task"))).toMatchObject({
        state: "leased",
        fence: 1,
      });
      expect((await submit(queue, bodyOf("worker-a", 1), "key-1")).replayed).toBe(false);
    });

    test("a failure after the result was written takes the result back", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a");
      const before = await queue.store.read((rows) => rows.task("task"));
      const failing: Queue = {
        store: queue.store,
        faultPoint: (name) => {
          if (name === "submit_before_commit") throw new Error("made to fail");
        },
      };
      await expect(submit(failing, bodyOf("worker-a", 1), "key-1")).rejects.toThrow("made to fail");
      expect(await queue.store.read((rows) => rows.task("task"))).toEqual(before);
      expect(await queue.store.read((rows) => rows.receiptByKey("task", "key-1"))).toBeNull();
      expect((await submit(queue, bodyOf("worker-a", 1), "key-1")).replayed).toBe(false);
    });
  });
}
