import type { PoolClient } from "pg";
import type { Row } from "../columns.ts";
import { changedNothing, postgresFault } from "./fault.ts";
import { together } from "./together.ts";

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
  /** 1 for a function that changed a row; 0 where it found none and failed, and with it all that was sent behind it. */
  guarded(statement: Statement, values: readonly Value[]): Promise<number>;
}

/** `wrote` is told of statements that may change rows, when they are sent. */
export function askOn(client: PoolClient, wrote: () => void): Ask {
  const ask = async (statement: Statement, values: readonly Value[]) => {
    try {
      together(client);
      return await client.query<Record<string, unknown>, Value[]>({ ...statement, values: [...values] });
    } catch (thrown) {
      throw postgresFault(thrown);
    }
  };
  const one: Ask["one"] = async (statement, read, values) => {
    const row = (await ask(statement, values)).rows[0];
    return row === undefined ? null : read(row);
  };
  const changed: Ask["changed"] = async (statement, values) => {
    wrote();
    return (await ask(statement, values)).rowCount ?? 0;
  };
  return {
    one,
    written: async (statement, read, values) => {
      wrote();
      return one(statement, read, values);
    },
    many: async (statement, read, values) => (await ask(statement, values)).rows.map(read),
    changed,
    guarded: (statement, values) =>
      changed(statement, values).catch((thrown: unknown) => {
        if (changedNothing(thrown)) return 0;
        throw thrown;
      }),
  };
}
