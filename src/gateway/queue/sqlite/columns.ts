import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

/** A row as SQLite gives it, read column by column; a wrong type is a fault of this program. */
export type Row = Record<string, SQLOutputValue>;

const wrong = (name: string): never => {
  throw new TypeError(`column ${name} has an unexpected type`);
};

export const text = (row: Row, name: string): string => {
  const value = row[name];
  return typeof value === "string" ? value : wrong(name);
};
export const integer = (row: Row, name: string): number => {
  const value = row[name];
  return typeof value === "number" ? value : wrong(name);
};
export const blob = (row: Row, name: string): Buffer => {
  const value = row[name];
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : wrong(name);
};
export const textOrNull = (row: Row, name: string): string | null =>
  row[name] === null ? null : text(row, name);
export const integerOrNull = (row: Row, name: string): number | null =>
  row[name] === null ? null : integer(row, name);

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
