/** What kind of fault SQLite named, from the primary result code in `errcode`. */
export function sqliteCode(thrown: unknown): "busy" | "full" | "other" {
  if (!(thrown instanceof Error) || !("errcode" in thrown) || typeof thrown.errcode !== "number")
    return "other";
  const primary = thrown.errcode & 0xff;
  if (primary === 5 || primary === 6) return "busy"; // SQLITE_BUSY, SQLITE_LOCKED
  return primary === 13 ? "full" : "other"; // SQLITE_FULL
}
