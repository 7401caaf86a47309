import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The receipts in the outbox of a state folder, byte for byte. */
export function storedReceipts(stateFolder: string): Buffer[] {
  const database = new DatabaseSync(join(stateFolder, "state.sqlite"), { readOnly: true });
  try {
    const rows = database.prepare("SELECT receipt FROM outbox WHERE state = 'done'").all();
    return rows.map((row) => Buffer.from(row["receipt"] instanceof Uint8Array ? row["receipt"] : []));
  } finally {
    database.close();
  }
}
