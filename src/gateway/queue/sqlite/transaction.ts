import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Clock } from "../../../core/clock.ts";
import { integer } from "../columns.ts";
import type { QueueStore, ReadRows, WriteRows } from "../store.ts";
import { sqliteFault } from "./fault.ts";
import { one } from "./statements.ts";

/** One connection, one transaction at a time; work that arrives meanwhile waits in order. */
export class SqliteStore implements QueueStore {
  private tail: Promise<unknown> = Promise.resolve();
  private sampled: number | null = null;
  private readonly db: DatabaseSync;
  private readonly rows: WriteRows;
  private readonly clock: Pick<Clock, "wallSeconds">;
  private readonly committed: StatementSync;
  private readonly commitClock: StatementSync;
  private readonly changes: StatementSync;

  constructor(db: DatabaseSync, rows: Omit<WriteRows, "now">, clock: Pick<Clock, "wallSeconds">) {
    this.db = db;
    this.clock = clock;
    this.rows = { ...rows, now: async () => this.now() };
    this.committed = db.prepare("SELECT seconds FROM clock");
    this.commitClock = db.prepare("UPDATE clock SET seconds = ?1 WHERE seconds < ?1");
    this.changes = db.prepare("SELECT total_changes() AS changes");
  }

  read<T>(work: (rows: ReadRows) => Promise<T>): Promise<T> {
    return this.alone(() => work(this.rows));
  }

  write<T>(work: (rows: WriteRows) => Promise<T>): Promise<T> {
    return this.alone(async () => {
      this.db.exec("BEGIN IMMEDIATE");
      try {
        const before = this.totalChanges();
        const value = await work(this.rows);
        if (this.sampled !== null && this.totalChanges() !== before) this.commitClock.run(this.sampled);
        this.db.exec("COMMIT");
        return value;
      } catch (thrown) {
        if (this.db.isTransaction) this.db.exec("ROLLBACK");
        throw thrown;
      }
    });
  }

  close(): Promise<void> {
    return this.alone(async () => this.db.close());
  }

  /** Rule 2: sampled once a transaction, after its lock, never below the last committed second. */
  private now(): number {
    this.sampled ??= Math.max(
      this.clock.wallSeconds(),
      one(this.committed, (row) => integer(row, "seconds")) ?? 0,
    );
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
