import type { PoolClient } from "pg";
import { HandoffError } from "../../../core/error.ts";
import { columnsOf, integer, integerOrNull, type Row } from "../columns.ts";
import { conclusion } from "../conclusion.ts";
import { readTask, readWorker, TASK } from "../read-rows.ts";
import type { TaskRow } from "../rows.ts";
import type { ClaimLook, SubmitLook, WriteRows } from "../store.ts";
import { type Ask, askOn, type Statement, type Value } from "./ask.ts";
import { eventRows } from "./event-rows.ts";
import { postgresFault } from "./fault.ts";
import { jobRows } from "./job-rows.ts";
import { pageRows } from "./page-rows.ts";
import { peopleRows } from "./people-rows.ts";
import { receiptRows } from "./receipt-rows.ts";
import { restoredRows } from "./restored-rows.ts";
import { taskRows } from "./task-rows.ts";
import { together } from "./together.ts";
import { upkeepRows } from "./upkeep-rows.ts";
import { verdictRows } from "./verdict-rows.ts";

const READ = { name: "task", text: `SELECT ${TASK} FROM tasks WHERE task_id = $1` };
/** The driver reads one column of JSON in a fraction of the time of a wide row. */
const LOCK = { name: "lock_task", text: "SELECT lock_task($1) AS task" };
/** Never in the statement that locks, unless a function puts it behind the lock. */
const NOW = {
  name: "now",
  text: "SELECT FLOOR(EXTRACT(EPOCH FROM clock_timestamp()))::bigint AS seconds, seconds AS floor FROM clock",
};
const FOR_CLAIM = { name: "look_for_claim", text: "SELECT look_for_claim($1, $2, $3) AS look" };
const FOR_SUBMIT = { name: "look_for_submit", text: "SELECT look_for_submit($1, $2) AS look" };

export interface TransactionOptions {
  /** Whether rows are locked for writing. */
  readonly writes: boolean;
  /** Instead of the server's clock. */
  readonly wallSeconds: (() => number) | null;
}

/**
 * One transaction on one connection. The driver sends a statement without waiting for the answer to the one
 * before it, so that BEGIN costs no journey of its own, nor does what is read behind a lock, nor COMMIT behind
 * the last writes: a claim and a submit are two journeys each.
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
  private concluded: Promise<void> | null = null;
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
      ...jobRows(this.ask, options.writes),
      ...upkeepRows(this.ask),
      ...restoredRows(this.ask),
      ...peopleRows(this.ask, options.writes),
      ...eventRows(this.ask),
      ...pageRows(this.ask),
      ...verdictRows(this.ask),
      now: () => this.now(),
      task: (taskId) => (options.writes ? this.lock(taskId) : this.ask.one(READ, readTask, [taskId])),
      forClaim: (taskId, workerId, key) => this.forClaim(taskId, workerId, key),
      forSubmit: (taskId, key) => this.forSubmit(taskId, key),
      conclude: (writes, refusal) => {
        this.concluded = conclusion(writes, refusal);
      },
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
    await this.concluded;
    await floor;
    // a transaction that has failed answers COMMIT with ROLLBACK, and no error
    if ((await committed).command !== "COMMIT")
      throw new HandoffError("GATEWAY_STORE_FAILED", "PostgreSQL: the transaction was rolled back.");
  }

  async rollback(): Promise<void> {
    await this.send("ROLLBACK");
  }

  private async lock(taskId: string): ReturnType<WriteRows["task"]> {
    const locked = this.ask.one(LOCK, readLocked, [taskId]);
    this.now().catch(() => {});
    return locked;
  }

  private async forClaim(taskId: string, workerId: string, key: string | null): Promise<ClaimLook> {
    const row = await this.look(FOR_CLAIM, [taskId, workerId, key]);
    const worker = row["worker"] === null ? null : readWorker(columnsOf(row, "worker"));
    return {
      task: readLocked(row),
      now: await this.now(),
      worker,
      claimFence: integerOrNull(row, "claim_fence"),
    };
  }

  private async forSubmit(taskId: string, key: string): Promise<SubmitLook> {
    const row = await this.look(FOR_SUBMIT, [taskId, key]);
    const receipt = row["known"] === true ? await this.rows.receiptByKey(taskId, key) : null;
    return { task: readLocked(row), now: await this.now(), receipt };
  }

  /** Locks the task, and samples the clock behind the lock. */
  private async look(statement: Statement, values: readonly Value[]): Promise<Row> {
    const row = await this.ask.one(statement, (found) => found, values);
    if (row === null || row["look"] === null) throw clockless();
    const look = columnsOf(row, "look");
    this.sampled ??= Promise.resolve(this.clocked(look));
    return look;
  }

  /** Rule 2: sampled once, after the lock, never below the last committed second. */
  private now(): Promise<number> {
    this.sampled ??= this.sample();
    return this.sampled;
  }

  private async sample(): Promise<number> {
    const row = await this.ask.one(NOW, (found) => found, []);
    if (row === null) throw clockless();
    return this.clocked(row);
  }

  private clocked(row: Row): number {
    this.floor = integer(row, "floor");
    return Math.max(this.options.wallSeconds?.() ?? integer(row, "seconds"), this.floor);
  }

  private send(text: string): Promise<{ command: string }> {
    together(this.client);
    const sent = this.client.query(text).catch((thrown: unknown) => {
      throw postgresFault(thrown);
    });
    sent.catch(() => {});
    return sent;
  }
}

const readLocked = (row: Row): TaskRow | null =>
  row["task"] === null ? null : readTask(columnsOf(row, "task"));
const clockless = (): HandoffError => new HandoffError("GATEWAY_DATA_INVALID", "The clock has no row.");
