import { HandoffError } from "../../core/error.ts";
import { knownTask } from "./lease.ts";
import type { Queue } from "./queue.ts";
import type { ReceiptRow } from "./rows.ts";

export interface ReceiptQuery {
  readonly taskId: string;
  /** Null: the current version. */
  readonly version: number | null;
  /** A worker sees its own receipts only; null sees all. */
  readonly reader: string | null;
}

/** The receipt of a version with the accepted body, or receipt_unknown. */
export async function readReceipt(queue: Queue, query: ReceiptQuery): Promise<ReceiptRow> {
  return queue.store.read(async (rows) => {
    const task = await knownTask(rows, query.taskId);
    const receipt = await rows.receipt(query.taskId, query.version ?? task.version);
    if (receipt === null) throw new HandoffError("receipt_unknown");
    if (query.reader !== null && receipt.workerId !== query.reader)
      throw new HandoffError("role_forbidden", "The receipt is another worker's.");
    return receipt;
  });
}
