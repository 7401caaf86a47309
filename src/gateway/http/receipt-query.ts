import type { ReceiptQuery } from "../queue/read-receipt.ts";
import { type Call, param, readerOf } from "./call.ts";

/** Which receipt a GET asks for, and whose. */
export const receiptQuery = (call: Call): ReceiptQuery => ({
  taskId: param(call, "task_id"),
  version: call.query["version"] === undefined ? null : Number(call.query["version"]),
  reader: readerOf(call),
});
