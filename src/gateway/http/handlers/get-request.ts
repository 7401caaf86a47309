import { readReceipt } from "../../queue/read-receipt.ts";
import { JSON_TYPE } from "../call.ts";
import { plain } from "../handler.ts";
import { receiptQuery } from "../receipt-query.ts";

/** The accepted body, byte for byte. */
export const getRequest = plain(async (call) => {
  const { request } = await readReceipt(call.services.queue, receiptQuery(call));
  return { kind: "bytes", status: 200, bytes: request, type: JSON_TYPE };
});
