import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { Row } from "../columns.ts";

export const one = <T>(
  statement: StatementSync,
  read: (row: Row) => T,
  ...values: SQLInputValue[]
): T | null => {
  const row = statement.get(...values);
  return row === undefined ? null : read(row);
};
export const many = <T>(statement: StatementSync, read: (row: Row) => T, ...values: SQLInputValue[]): T[] =>
  statement.all(...values).map(read);

/** Rows changed by a writing statement. */
export const changed = (statement: StatementSync, ...values: SQLInputValue[]): number =>
  Number(statement.run(...values).changes);
