import type { PoolClient } from "pg";
import { HandoffError } from "../../../core/error.ts";
import { integer } from "../columns.ts";
import { readTask } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import { type Ask, askOn } from "./ask.ts";
import { eventRows } from "./event-rows.ts";
import { postgresFault } from "./fault.ts";
import { jobRows } from "./job-rows.ts";
import { peopleRows } from "./people-rows.ts";
import { receiptRows } from "./receipt-rows.ts";
import { TASK, taskRows } from "./task-rows.ts";
import { verdictRows } from "./verdict-rows.ts";

const READ = { name: "task", text: `SELECT ${TASK} FROM tasks WHERE task_id = $1` };
/** Both slots of the task's job, where it has one: both decide who may claim. Always in the same order. */
const LOCK_JOB = {
  name: "lock_job",
  text: `SELECT 1 FROM tasks WHERE job_id = (SELECT job_id FROM tasks WHERE task_id = $1)
   ORDER BY seq FOR UPDATE`,
};
const LOCK = { name: "lock_task", text: `${READ.text} FOR UPDATE` };
/** A statement of its own: its clock and its view of the floor are of a moment after the lock was granted. */
const NOW = {
  name: "now",
  text: `SELECT FLOOR(EXTRACT(EPOCH FROM clock_timestamp()))::bigint AS seconds, seconds AS floor FROM clock`,
};

export interface TransactionOptions {
  /** Whether rows are locked for writing. */
  readonly writes: boolean;
  /** Instead of the server's clock. */
  readonly wallSeconds: (() => number) | null;
}

/**
 * One transaction on one connection. The driver sends a statement without waiting for the answer to the one
 * before it, so that BEGIN costs no journey of its own, nor does the clock behind a lock.
 */
export class Transaction {
  readonly rows: WriteRows;
  /** COMMIT was sent: from here on a broken connection leaves the outcome unknown. */
  committing = false;
  private readonly client: PoolClient;
  private readonly options: TransactionOptions;
  private readonly ask: Ask;
  private readonly begun: Promise<unknown>;
  private sampled: Promise<number> | null = null;
  private wrote = false;
  /** The last committed second, as it was when the clock was read. */
  private floor = 0;

  constructor(client: PoolClient, options: TransactionOptions) {
    this.client = client;
    this.options = options;
    this.ask = askOn(client, () => {
      this.wrote = true;
    });
    this.begun = this.send(
      options.writes
        ? "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    );
    this.rows = {
      ...taskRows(this.ask),
      ...receiptRows(this.ask),
      ...jobRows(this.ask),
      ...peopleRows(this.ask, options.writes),
      ...eventRows(this.ask),
      ...verdictRows(this.ask),
      now: () => this.now(),
      task: (taskId) => (options.writes ? this.lock(taskId) : this.ask.one(READ, readTask, [taskId])),
    };
  }

  /** GATEWAY_STORE_FAILED unless the server says that it has committed. */
  async commit(): Promise<void> {
    await this.begun;
    const seconds = this.wrote && this.sampled !== null ? await this.sampled : null;
    this.committing = true;
    const floor =
      seconds === null || seconds <= this.floor
        ? null
        : this.send(`UPDATE clock SET seconds = ${seconds} WHERE seconds < ${seconds}`);
    const committed = this.send("COMMIT");
    await floor;
    // a transaction that has failed answers COMMIT with ROLLBACK, and no error
    if ((await committed).command !== "COMMIT")
      throw new HandoffError("GATEWAY_STORE_FAILED", "PostgreSQL: the transaction was rolled back.");
  }

  async rollback(): Promise<void> {
    await this.send("ROLLBACK");
  }

  private async lock(taskId: string): ReturnType<WriteRows["task"]> {
    const job = this.ask.many(LOCK_JOB, () => null, [taskId]);
    const locked = this.ask.one(LOCK, readTask, [taskId]);
    this.now().catch(() => {});
    const [task] = await Promise.all([locked, job]);
    return task;
  }

  /** Rule 2: sampled once, after the lock, never below the last committed second. */
  private now(): Promise<number> {
    this.sampled ??= this.sample();
    return this.sampled;
  }

  private async sample(): Promise<number> {
    const now = await this.ask.one(
      NOW,
      (row) => ({ seconds: integer(row, "seconds"), floor: integer(row, "floor") }),
      [],
    );
    if (now === null) throw new HandoffError("GATEWAY_DATA_INVALID", "The clock has no row.");
    this.floor = now.floor;
    return Math.max(this.options.wallSeconds?.() ?? now.seconds, now.floor);
  }

  private send(text: string): Promise<{ command: string }> {
    const sent = this.client.query(text).catch((thrown: unknown) => {
      throw postgresFault(thrown);
    });
    sent.catch(() => {});
    return sent;
  }
}
