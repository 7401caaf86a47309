import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Clock } from "../../../core/clock.ts";
import { HandoffError } from "../../../core/error.ts";
import { integer } from "../columns.ts";
import { conclusion } from "../conclusion.ts";
import type { QueueStore, ReadRows, WriteRows } from "../store.ts";
import { sqliteFault, tellsOfTheDisk } from "./fault.ts";
import { one } from "./statements.ts";

/** Changes a page and leaves no trace; an update to the same value would write nothing. */
const PROOF = "INSERT INTO meta(name, value) VALUES ('proof', ''); DELETE FROM meta WHERE name = 'proof';";

type OfUnit = Pick<WriteRows, "now" | "forClaim" | "forSubmit" | "conclude">;

/** One unit of work that waits for its transaction. */
interface Waiting {
  /** Runs the work; what its caller is told once the transaction has ended. */
  run(rows: WriteRows): Promise<() => void>;
  fail(thrown: unknown): void;
}

/**
 * One connection, one transaction at a time; work that arrives meanwhile waits in order. Writes that are
 * waiting when a transaction begins share it, and its one flush; each can fail alone (a savepoint), and
 * nobody is told anything before the commit.
 */
export class SqliteStore implements QueueStore {
  private tail: Promise<unknown> = Promise.resolve();
  private waiting: Waiting[] = [];
  private sampled: number | null = null;
  /** Changes of the connection before the work that runs; null where its second is committed already. */
  private unchanged: number | null = null;
  private concluded: Promise<void> | null = null;
  /** The last committed second; null where it is not known. */
  private floor: number | null = null;
  /** The latest second at which something was changed in the transaction that runs. */
  private latest = 0;
  /** The disk failed a write: no other is tried before the store is proven again. */
  private doubtful = false;
  private readonly db: DatabaseSync;
  private readonly rows: WriteRows;
  private readonly clock: Pick<Clock, "wallSeconds">;
  private readonly begin: StatementSync;
  private readonly commit: StatementSync;
  private readonly committed: StatementSync;
  private readonly commitClock: StatementSync;
  private readonly changes: StatementSync;

  constructor(db: DatabaseSync, rows: Omit<WriteRows, keyof OfUnit>, clock: Pick<Clock, "wallSeconds">) {
    this.db = db;
    this.clock = clock;
    this.rows = {
      ...rows,
      now: async () => this.now(),
      forClaim: async (taskId, workerId, key) => ({
        task: await rows.task(taskId),
        now: this.now(),
        worker: await rows.worker(workerId),
        claimFence: key === null ? null : await rows.claimFence(taskId, workerId, key),
      }),
      forSubmit: async (taskId, key) => ({
        task: await rows.task(taskId),
        now: this.now(),
        receipt: await rows.receiptByKey(taskId, key),
      }),
      conclude: (writes, refusal) => {
        this.concluded = conclusion(writes, refusal);
      },
    };
    this.begin = db.prepare("BEGIN IMMEDIATE");
    this.commit = db.prepare("COMMIT");
    this.committed = db.prepare("SELECT seconds FROM clock");
    this.commitClock = db.prepare("UPDATE clock SET seconds = ?1 WHERE seconds < ?1");
    this.changes = db.prepare("SELECT total_changes() AS changes");
  }

  read<T>(work: (rows: ReadRows) => Promise<T>): Promise<T> {
    return this.alone(() => {
      // a process that only reads is told by the file what another has committed
      this.floor = null;
      return work(this.rows);
    });
  }

  write<T>(work: (rows: WriteRows) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // one turn of the event loop: requests that have arrived by then are in time for the same flush
      if (this.waiting.length === 0) setImmediate(() => this.together());
      this.waiting.push({
        run: async (rows) => {
          const value = await work(rows);
          return () => resolve(value);
        },
        fail: reject,
      });
    });
  }

  close(): Promise<void> {
    this.together();
    return this.alone(async () => this.db.close());
  }

  private together(): void {
    const group = this.waiting;
    this.waiting = [];
    if (group.length === 0) return;
    this.alone(() => this.transaction(group)).then(
      (tellings) => {
        for (const tell of tellings) tell();
      },
      (thrown: unknown) => {
        for (const one of group) one.fail(thrown);
      },
    );
  }

  private async transaction(group: readonly Waiting[]): Promise<(() => void)[]> {
    this.latest = 0;
    if (this.doubtful) this.prove();
    this.begin.run();
    try {
      const tellings: (() => void)[] = [];
      const [first, ...others] = group;
      if (first !== undefined && others.length === 0) tellings.push(await this.work(first));
      else for (const waiting of group) tellings.push(await this.unit(waiting));
      const moves = this.latest > (this.floor ?? 0);
      if (moves) this.commitClock.run(this.latest);
      this.commit.run();
      if (moves) this.floor = this.latest;
      return tellings;
    } catch (thrown) {
      this.floor = null;
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      if (tellsOfTheDisk(thrown)) this.doubt();
      throw thrown;
    }
  }

  /** At once, so that what failed is gone before anybody can end this process; else before the next write. */
  private doubt(): void {
    this.doubtful = true;
    try {
      this.prove();
    } catch {
      // the next write tries again, and tells its caller what is wrong
    }
  }

  /**
   * Rule 8: a commit whose flush failed has left its frames in the log, where a restart would find them.
   * Emptying the log drops them; a commit of its own shows that the disk takes writes again.
   */
  private prove(): void {
    try {
      const busy = one(this.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)"), (row) => integer(row, "busy"));
      if (busy !== 0) throw new HandoffError("GATEWAY_STORE_FAILED", "The log cannot be emptied.");
      this.db.exec(`BEGIN IMMEDIATE; ${PROOF} COMMIT`);
      this.doubtful = false;
    } finally {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
    }
  }

  /** A piece of work that has the transaction for itself, or a savepoint in it. */
  private async work(waiting: Waiting): Promise<() => void> {
    this.sampled = null;
    this.unchanged = null;
    this.concluded = null;
    const tell = await waiting.run(this.rows);
    await this.concluded;
    if (this.sampled !== null && this.unchanged !== null && this.totalChanges() !== this.unchanged)
      this.latest = this.sampled;
    return tell;
  }

  /** One of several pieces of work; when it fails, its own changes alone are taken back. */
  private async unit(waiting: Waiting): Promise<() => void> {
    this.db.exec("SAVEPOINT unit");
    try {
      const tell = await this.work(waiting);
      this.db.exec("RELEASE unit");
      return tell;
    } catch (thrown) {
      // SQLite itself has ended the transaction: then nothing of it is left for anybody
      if (!this.db.isTransaction) throw thrown;
      this.db.exec("ROLLBACK TO unit; RELEASE unit");
      if (tellsOfTheDisk(thrown)) this.doubtful = true;
      return () => waiting.fail(sqliteFault(thrown));
    }
  }

  /** Rule 2: sampled once for each piece of work, after the lock, never below the last committed second. */
  private now(): number {
    if (this.sampled === null) {
      this.floor ??= one(this.committed, (row) => integer(row, "seconds")) ?? 0;
      this.sampled = Math.max(this.clock.wallSeconds(), this.latest, this.floor);
      if (this.sampled > this.floor) this.unchanged = this.totalChanges();
    }
    return this.sampled;
  }

  private totalChanges(): number {
    return one(this.changes, (row) => integer(row, "changes")) ?? 0;
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.tail.then(async () => {
      this.sampled = null;
      try {
        return await work();
      } catch (thrown) {
        throw sqliteFault(thrown);
      }
    });
    this.tail = result.catch(() => {});
    return result;
  }
}
