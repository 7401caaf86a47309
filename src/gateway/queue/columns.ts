/** A row as a database gives it, read column by column; a wrong type is a fault of this program. */
export type Row = Readonly<Record<string, unknown>>;

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
  if (Buffer.isBuffer(value)) return value;
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : wrong(name);
};
/** A column that is a row of its own, as JSON. */
export const columnsOf = (row: Row, name: string): Row => {
  const value = row[name];
  return typeof value === "object" && value !== null ? { ...value } : wrong(name);
};
export const textOrNull = (row: Row, name: string): string | null =>
  row[name] === null ? null : text(row, name);
export const integerOrNull = (row: Row, name: string): number | null =>
  row[name] === null ? null : integer(row, name);
