import type { PoolClient } from "pg";
import type { Row } from "../columns.ts";
import { postgresFault } from "./fault.ts";

/** A statement that the server prepares once a connection, by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}
export type Value = string | number | Buffer | null;

/** Statements on one connection. Failures are those of `postgresFault`. */
export interface Ask {
  one<T>(statement: Statement, read: (row: Row) => T, values: readonly Value[]): Promise<T | null>;
  many<T>(statement: Statement, read: (row: Row) => T, values: readonly Value[]): Promise<T[]>;
  /** A writing statement that returns the row that it changed; null when it changed none. */
  written<T>(statement: Statement, read: (row: Row) => T, values: readonly Value[]): Promise<T | null>;
  /** Rows changed by a writing statement. */
  changed(statement: Statement, values: readonly Value[]): Promise<number>;
}

/** `wrote` is told of statements that changed rows. */
export function askOn(client: PoolClient, wrote: () => void): Ask {
  const ask = async (statement: Statement, values: readonly Value[]) => {
    try {
      return await client.query<Record<string, unknown>, Value[]>({ ...statement, values: [...values] });
    } catch (thrown) {
      throw postgresFault(thrown);
    }
  };
  const one: Ask["one"] = async (statement, read, values) => {
    const row = (await ask(statement, values)).rows[0];
    return row === undefined ? null : read(row);
  };
  return {
    one,
    written: async (statement, read, values) => {
      const value = await one(statement, read, values);
      if (value !== null) wrote();
      return value;
    },
    many: async (statement, read, values) => (await ask(statement, values)).rows.map(read),
    changed: async (statement, values) => {
      const { rowCount } = await ask(statement, values);
      if ((rowCount ?? 0) > 0) wrote();
      return rowCount ?? 0;
    },
  };
}
