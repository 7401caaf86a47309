import { join } from "node:path";
import { LIMITS } from "../../../contracts/limits.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { readCapped } from "../../core/files/read-capped.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { parseStrict } from "../../core/json/parse-strict.ts";
import type { SubmitAnswer } from "../../gateway-client/client.ts";
import type { OutboxRow } from "../../gateway-client/outbox.ts";
import type { RunContext } from "../context.ts";
import { BODY_NAME } from "./bundle.ts";

/** Sends the stored bytes under the stored key and checks the receipt against what was sent; the receipt's bytes. */
export async function submit(run: RunContext, row: OutboxRow): Promise<Buffer> {
  run.report.step = "submit";
  const read = await readCapped(join(run.state.folder, row.folder, BODY_NAME), LIMITS.submitBytes);
  if (!read.ok || sha256(read.bytes) !== row.body_sha256)
    throw new HandoffError("STATE_OUTBOX_LOST", `Task ${row.task_id}: ${row.folder}/${BODY_NAME}.`);
  const { value } = await run.client.submit(read.bytes, row.key);
  checkReceipt(run, { row, body: read.bytes, answer: value });
  return value.bytes;
}

function checkReceipt(run: RunContext, sent: { row: OutboxRow; body: Buffer; answer: SubmitAnswer }): void {
  const { row, body } = sent;
  const { bytes, receipt } = sent.answer;
  const request = parseStrict(body);
  const result =
    typeof request === "object" && request !== null && !Array.isArray(request) ? request["result"] : null;
  const expected: Record<string, string | number> = {
    task_id: row.task_id,
    worker_id: run.options.workerUuid,
    fencing_token: row.fencing_token,
    idempotency_key: row.key,
    request_sha256: row.body_sha256,
    result_sha256: sha256(canonicalBytes(result)),
  };
  const wrong = Object.entries({ ...receipt }).flatMap(([name, value]) =>
    expected[name] !== undefined && expected[name] !== value
      ? [`${name}: expected ${expected[name]}, is ${value}`]
      : [],
  );
  if (!canonicalBytes(receipt).equals(bytes)) wrong.push("the bytes are not in canonical form");
  if (wrong.length > 0) throw new HandoffError("SUBMIT_RECEIPT_INVALID", `${wrong[0]}.`, { details: wrong });
}
