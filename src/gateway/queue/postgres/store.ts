import type { Pool, PoolClient } from "pg";
import type { QueueStore, ReadRows, WriteRows } from "../store.ts";
import { isLost, isStale, mayRunAgain, postgresFault } from "./fault.ts";
import { Transaction, type TransactionOptions } from "./transaction.ts";

/** Times that work is run again after a deadlock, or a row that another gateway inserted first. */
const TRIES = 5;

/**
 * The queue in PostgreSQL; several gateways share one database. Rows are locked, not tables: transactions
 * of different jobs run beside each other, one on each connection of the pool.
 */
export class PostgresStore implements QueueStore {
  private readonly pool: Pool;
  private readonly wallSeconds: (() => number) | null;
  private ended: Promise<void> | null = null;

  constructor(pool: Pool, wallSeconds: (() => number) | null) {
    this.pool = pool;
    this.wallSeconds = wallSeconds;
  }

  read<T>(work: (rows: ReadRows) => Promise<T>): Promise<T> {
    return this.repeated({ writes: false, wallSeconds: this.wallSeconds }, work);
  }

  write<T>(work: (rows: WriteRows) => Promise<T>): Promise<T> {
    return this.repeated({ writes: true, wallSeconds: this.wallSeconds }, work);
  }

  close(): Promise<void> {
    this.ended ??= this.pool.end();
    return this.ended;
  }

  private async repeated<T>(options: TransactionOptions, work: (rows: WriteRows) => Promise<T>): Promise<T> {
    let lost = 0;
    for (let tries = 1; ; tries += 1) {
      const client = await this.connection();
      const transaction = new Transaction(client, options);
      try {
        const value = await work(transaction.rows);
        await transaction.commit();
        client.release();
        return value;
      } catch (thrown) {
        const broken = isLost(thrown) || !(await rolledBack(transaction));
        const stale = isStale(thrown);
        client.release(broken || stale);
        if (mayRunAgain(thrown) && tries < TRIES) continue;
        // every connection of the pool may be as stale; a new one is asked for the schema's version
        if (stale && tries <= this.pool.options.max) continue;
        // a pooled connection may have died while it was idle; without COMMIT nothing of it has happened
        if (broken && isLost(thrown) && !transaction.committing && lost === 0) {
          lost += 1;
          continue;
        }
        throw thrown;
      }
    }
  }

  private async connection(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (thrown) {
      throw postgresFault(thrown);
    }
  }
}

const rolledBack = (transaction: Transaction): Promise<boolean> =>
  transaction.rollback().then(
    () => true,
    () => false,
  );
