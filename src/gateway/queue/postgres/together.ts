import { Client, type PoolClient } from "pg";

/** Statements that follow in the same turn of the event loop leave in one write, not in one each. */
export function together(client: PoolClient): void {
  if (!(client instanceof Client)) return;
  const { stream } = client.connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
