import { readReceipt } from "../../queue/read-receipt.ts";
import { JSON_TYPE } from "../call.ts";
import { plain } from "../handler.ts";
import { receiptQuery } from "../receipt-query.ts";

export const getReceipt = plain(async (call) => {
  const { receipt } = await readReceipt(call.services.queue, receiptQuery(call));
  return { kind: "bytes", status: 200, bytes: receipt, type: JSON_TYPE };
});
