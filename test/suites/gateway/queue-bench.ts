import { onTestFinished } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import type { QueueStore } from "../../../src/gateway/queue/store.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** A store that the suite is run on; `open` of the same folder finds what was committed. */
export interface StoreUnderTest {
  readonly name: string;
  open(folder: string, clock: TestClock): Promise<QueueStore>;
}

/** A clock whose second is set by the test. */
export interface TestClock {
  seconds: number;
  wallSeconds(): number;
  uuid(): string;
}
export function testClock(seconds = 100): TestClock {
  let made = 0;
  return {
    seconds,
    wallSeconds() {
      return this.seconds;
    },
    uuid: () => {
      made += 1;
      return `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
    },
  };
}

export interface Bench {
  readonly queue: Queue;
  readonly clock: TestClock;
  readonly folder: string;
  /** Closes the store and opens it again, as a restart does. */
  restart(): Promise<Queue>;
}

/** An open store with its clock at second 100. */
export async function openBench(sut: StoreUnderTest): Promise<Bench> {
  const folder = await temporaryFolder();
  const clock = testClock();
  const open = async (): Promise<Queue> => {
    const store = await sut.open(folder, clock);
    onTestFinished(() => store.close().catch(() => {}));
    return { store, faultPoint: null };
  };
  const queue = await open();
  return {
    queue,
    clock,
    folder,
    restart: async () => {
      await queue.store.close();
      return open();
    },
  };
}

export const bodyOf = (worker: string, fence: number, result: unknown = { answer: 42 }): Buffer =>
  canonicalBytes({ task_id: "task", worker_id: worker, fencing_token: fence, result });
export const take = (queue: Queue, workerId: string, idempotencyKey: string | null = null) =>
  claim(queue, { taskId: "task", workerId, idempotencyKey });
export const ready = async (sut: StoreUnderTest): Promise<Bench> => {
  const bench = await openBench(sut);
  await enqueue(bench.queue, { taskId: "task", payload: { work: 1 }, leaseSeconds: 10 });
  return bench;
};
export const every = {
  state: null,
  slot: null,
  jobId: null,
  newestFirst: false,
  after: null,
  limit: 10,
} as const;
