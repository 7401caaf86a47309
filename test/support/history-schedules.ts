import { canonicalBytes } from "../../src/core/json/canonical.ts";
import type { HistoryEvent } from "./history.ts";
import type { HistoryWorker, Sent } from "./history-record.ts";
import type { Mutation } from "./mutations.ts";

/** What a schedule is played with: two workers, tasks that nobody else touches, the last one a slot. */
export interface Stage {
  readonly first: HistoryWorker;
  readonly second: HistoryWorker;
  readonly administrator: HistoryWorker;
  readonly tasks: readonly { readonly task: string; readonly result: unknown }[];
  record(worker: HistoryWorker, op: HistoryEvent["op"], sent: Sent): Promise<HistoryEvent>;
  pause(milliseconds: number): Promise<void>;
}
type Task = Stage["tasks"][number];

const claim = ({ record }: Stage, worker: HistoryWorker, { task }: Task, key = `claim.${task}`) =>
  record(worker, "claim", {
    task,
    key: `${key}.${worker.workerUuid}`,
    fence: null,
    body: canonicalBytes({ task_id: task, worker_id: worker.workerUuid }),
  });

const reopen = ({ record, administrator }: Stage, { task }: Task) =>
  record(administrator, "reopen", reopening(task));

/** What goes out to reopen a task. */
export const reopening = (task: string): Sent => ({
  ...{ task, fence: null, key: null },
  body: canonicalBytes({ task_id: task, reason: "JOIN_FRAME_DIGEST" }),
});

/** A write under the fence that the claim gave; a claim that was refused gives none, and nothing is written. */
async function write(
  { record }: Stage,
  op: "heartbeat" | "release" | "submit",
  { claimed, worker, result, blank = "" }: Written,
): Promise<void> {
  const { task, fenceGiven: fence } = claimed;
  if (fence === null) return;
  const more =
    op === "submit" ? { result } : op === "release" ? { reason: "INTERRUPTED" } : { progress: null };
  const held = { task_id: task, worker_id: worker.workerUuid, fencing_token: fence };
  const body = Buffer.concat([canonicalBytes({ ...held, ...more }), Buffer.from(blank)]);
  await record(worker, op, { task, fence, key: op === "submit" ? `submit.${task}.${fence}` : null, body });
}
interface Written {
  readonly claimed: HistoryEvent;
  readonly worker: HistoryWorker;
  readonly result?: unknown;
  /** White space behind the body. */
  readonly blank?: string;
}

/** Until the wall clock is in the second in which the lease has ended, or behind it. */
async function untilEnded({ pause }: Stage, { expires }: HistoryEvent): Promise<void> {
  for (const ends = (expires ?? 0) * 1_000; Date.now() < ends + 100; ) await pause(50);
}

/** What a client process can be told to play: the calls for one broken rule, or one call for every answer. */
export type Schedule = Mutation | "every-answer";

/** For each broken rule the calls that show it, whatever the load; an honest gateway refuses what matters. */
export const SCHEDULES: Record<Schedule, (stage: Stage) => Promise<void>> = {
  "every-answer": async (stage) => {
    const { first: worker, tasks } = stage;
    for (const one of tasks.slice(0, 1)) {
      const old = await claim(stage, worker, one, "old");
      await claim(stage, worker, one, "old");
      await write(stage, "release", { claimed: old, worker });
      await write(stage, "submit", { claimed: old, worker, result: one.result });
      const claimed = await claim(stage, worker, one, "new");
      await write(stage, "heartbeat", { claimed, worker });
      for (const blank of ["", "", " "])
        await write(stage, "submit", { claimed, worker, result: one.result, blank });
      for (const _ of [1, 2]) await reopen(stage, one);
      // the receipt of the version before
      await write(stage, "submit", { claimed, worker, result: one.result });
      const next = await claim(stage, worker, one, "next");
      await write(stage, "submit", { claimed: next, worker, result: one.result });
    }
  },
  "fence-not-compared": async (stage) => {
    const { first: worker, tasks } = stage;
    for (const { task, result } of tasks.slice(0, 1)) {
      const old = await claim(stage, worker, { task, result }, "old");
      await untilEnded(stage, old);
      await claim(stage, worker, { task, result }, "new");
      await write(stage, "heartbeat", { claimed: old, worker });
      await write(stage, "submit", { claimed: old, worker, result });
    }
  },
  "zombie-accepted": async (stage) => {
    const { first: worker, second, tasks } = stage;
    for (const one of tasks.slice(0, 1)) {
      const old = await claim(stage, worker, one);
      await untilEnded(stage, old);
      await claim(stage, second, one);
      await write(stage, "submit", { claimed: old, worker, result: one.result });
    }
  },
  "fence-stands-still": async (stage) => {
    const { first: worker, second, tasks } = stage;
    for (const one of tasks.slice(0, 1)) {
      await write(stage, "release", { claimed: await claim(stage, worker, one), worker });
      await claim(stage, second, one);
    }
  },
  "spent-key-claims": async (stage) => {
    const { first: worker, tasks } = stage;
    for (const one of tasks.slice(0, 1)) {
      await write(stage, "release", { claimed: await claim(stage, worker, one), worker });
      await claim(stage, worker, one);
    }
  },
  "slot-held-hostage": async (stage) => {
    const { first: worker, tasks, pause } = stage;
    for (const one of tasks.slice(-1)) {
      const claimed = await claim(stage, worker, one);
      await pause(3_000);
      await write(stage, "heartbeat", { claimed, worker });
    }
  },
  "lost-commits": async (stage) => {
    const { first: worker, tasks } = stage;
    for (const [index, one] of tasks.entries()) {
      const claimed = await claim(stage, worker, one);
      // the build begins to lose after its first two dozen commits
      for (let beat = 0; index === 0 && beat < 24; beat += 1)
        await write(stage, "heartbeat", { claimed, worker });
      await write(stage, "submit", { claimed, worker, result: one.result });
    }
  },
  "replay-rewritten": async (stage) => {
    const { first: worker, tasks } = stage;
    for (const one of tasks.slice(0, 1)) {
      const claimed = await claim(stage, worker, one);
      for (let time = 0; time < 2; time += 1)
        await write(stage, "submit", { claimed, worker, result: one.result });
    }
  },
  "conflict-overlooked": async (stage) => {
    const { first: worker, tasks } = stage;
    for (const one of tasks.slice(0, 1)) {
      const claimed = await claim(stage, worker, one);
      for (const blank of ["", " "])
        await write(stage, "submit", { claimed, worker, result: one.result, blank });
    }
  },
  "expiry-ignored": async (stage) => {
    const { first: worker, tasks } = stage;
    for (const one of tasks.slice(0, 1)) {
      const claimed = await claim(stage, worker, one);
      await untilEnded(stage, claimed);
      await write(stage, "submit", { claimed, worker, result: one.result });
    }
  },
};
