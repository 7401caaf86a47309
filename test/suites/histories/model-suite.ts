import fc from "fast-check";
import { expect, test } from "vitest";
import { HandoffError } from "../../../src/core/error.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import { heartbeat } from "../../../src/gateway/queue/heartbeat.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { readTask } from "../../../src/gateway/queue/read-task.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { testSeed } from "../../support/scale.ts";
import { type StoreUnderTest, testClock } from "../gateway/queue-bench.ts";
import { memoryFolder } from "../reference/memory-folder.ts";

// Rules 1 to 5 and 9 of one task as a model of a few lines, beside the real store.

interface Model {
  state: "ready" | "leased" | "done";
  version: number;
  fence: number;
  holder: string;
  expires: number;
  readonly claimKeys: Map<string, number>;
  readonly receipts: Map<string, { body: string; receipt: string }>;
}
interface Real {
  readonly queue: Queue;
  readonly clock: ReturnType<typeof testClock>;
  readonly task: string;
}
const LEASE = 10;

const outcome = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "ok",
    (thrown: unknown) => {
      if (thrown instanceof HandoffError) return thrown.code;
      throw thrown;
    },
  );

class Step implements fc.AsyncCommand<Model, Real> {
  readonly name: string;
  readonly play: (model: Model, real: Real) => Promise<void>;
  constructor(name: string, play: (model: Model, real: Real) => Promise<void>) {
    this.name = name;
    this.play = play;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    await this.play(model, real);
    const record = await readTask(real.queue, real.task, null);
    const live = model.state === "leased" && real.clock.seconds < model.expires;
    expect(record.state).toBe(model.state === "leased" && !live ? "ready" : model.state);
    expect([record.version, record.fencing_token]).toEqual([model.version, model.fence]);
  }
  toString = (): string => this.name;
}

const live = (model: Model, now: number): boolean => model.state === "leased" && now < model.expires;
const holds = (model: Model, worker: string, fence: number, now: number): boolean =>
  live(model, now) && model.holder === worker && model.fence === fence;

const worker = fc.constantFrom("w1", "w2");
const fenceBy = fc.constantFrom(0, 0, 0, -1, 1);
const steps = [
  fc.tuple(worker, fc.constantFrom("a", "b", "c", null)).map(
    ([workerId, key]) =>
      new Step(`claim ${workerId} ${key}`, async (model, { queue, clock, task }) => {
        const seen = await outcome(claim(queue, { taskId: task, workerId, idempotencyKey: key }));
        const old = key === null ? undefined : model.claimKeys.get(`${workerId}/${key}`);
        const now = clock.seconds;
        if (old !== undefined)
          return expect(seen).toBe(holds(model, workerId, old, now) ? "ok" : "claim_key_spent");
        if (model.state === "done") return expect(seen).toBe("not_ready");
        if (live(model, now)) return expect(seen).toBe("already_leased");
        expect(seen).toBe("ok");
        Object.assign(model, {
          state: "leased",
          fence: model.fence + 1,
          holder: workerId,
          expires: now + LEASE,
        });
        if (key !== null) model.claimKeys.set(`${workerId}/${key}`, model.fence);
      }),
  ),
  fc.tuple(worker, fenceBy, fc.boolean()).map(
    ([workerId, by, giveBack]) =>
      new Step(
        `${giveBack ? "release" : "heartbeat"} ${workerId} ${by}`,
        async (model, { queue, clock, task }) => {
          const lease = { taskId: task, workerId, fence: model.fence + by };
          const may = holds(model, workerId, lease.fence, clock.seconds);
          const seen = await outcome(
            giveBack ? release(queue, lease, "INTERRUPTED") : heartbeat(queue, lease, null),
          );
          expect(seen).toBe(may ? "ok" : "stale_or_invalid_lease");
          if (may && giveBack) model.state = "ready";
          else if (may) model.expires = clock.seconds + LEASE;
        },
      ),
  ),
  fc.tuple(worker, fenceBy, fc.constantFrom("k1", "k2", "k3"), fc.nat({ max: 1 })).map(
    ([workerId, by, key, answer]) =>
      new Step(`submit ${workerId} ${by} ${key} ${answer}`, async (model, { queue, clock, task }) => {
        const fencing_token = Math.max(1, model.fence + by);
        const body = canonicalBytes({
          task_id: task,
          worker_id: workerId,
          fencing_token,
          result: { answer },
        });
        const old = model.receipts.get(key);
        const call = submit(queue, body, key);
        const seen = await outcome(call);
        if (old !== undefined) {
          expect(seen).toBe(old.body === body.toString() ? "ok" : "idempotency_conflict");
          if (seen === "ok") expect((await call).receipt.toString()).toBe(old.receipt);
        } else if (model.state === "done") expect(seen).toBe("not_ready");
        else if (!holds(model, workerId, fencing_token, clock.seconds))
          expect(seen).toBe("stale_or_invalid_lease");
        else {
          expect(seen).toBe("ok");
          model.state = "done";
          model.receipts.set(key, { body: body.toString(), receipt: (await call).receipt.toString() });
        }
      }),
  ),
  fc.constant(null).map(
    () =>
      new Step("reopen", async (model, { queue, task }) => {
        const done = model.state === "done";
        expect(await outcome(reopen(queue, task, "JOIN_FRAME_DIGEST"))).toBe(done ? "ok" : "not_done");
        if (done) Object.assign(model, { state: "ready", version: model.version + 1 });
      }),
  ),
  fc.constantFrom(1, 5, 9, 10).map(
    (seconds) =>
      new Step(`wait ${seconds}`, async (_, { clock }) => {
        clock.seconds += seconds;
      }),
  ),
];

/** So many sequences of commands on a store, each held against the model after every command. */
export function modelSuite(sut: StoreUnderTest, numRuns: number): void {
  test(`${sut.name}: the store behaves as the model of one task does, whatever comes`, {
    timeout: 60_000 + 1_000 * numRuns,
  }, async () => {
    const clock = testClock(100);
    const store = await sut.open(await memoryFolder(), clock);
    const queue: Queue = { store, faultPoint: null };
    const seed = testSeed();
    let runs = 0;
    try {
      await fc.assert(
        fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: "+1" }), async (commands) => {
          runs += 1;
          const task = `model.${runs}`;
          await enqueue(queue, { taskId: task, payload: {}, leaseSeconds: LEASE });
          const model: Model = {
            ...{ state: "ready", version: 1, fence: 0, holder: "", expires: 0 },
            claimKeys: new Map(),
            receipts: new Map(),
          };
          await fc.asyncModelRun(() => ({ model, real: { queue, clock, task } }), commands);
        }),
        { numRuns, seed },
      );
    } finally {
      await store.close();
    }
    console.log(`model: ${runs} command sequences on ${sut.name}, seed ${seed}`);
  });
}
