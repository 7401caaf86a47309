import { Receipt } from "../../../contracts/documents/receipt.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { SubmitRequest } from "../../../contracts/wire/queue.ts";
import { sha256 } from "../../core/digest.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { readDocument } from "../../core/json/read-document.ts";
import type { ReceiptRow } from "../queue/rows.ts";
import type { ReadRows } from "../queue/store.ts";
import type { Findings } from "./findings.ts";

/** Everything that a receipt says, computed again from the stored body, its row, its task and its object. */
export async function checkReceipt(
  rows: ReadRows,
  row: ReceiptRow & { fence: number },
  findings: Findings,
): Promise<void> {
  const where = `receipt ${row.taskId} version ${row.version}`;
  const read = readDocument(Receipt, row.receipt);
  if (!read.ok || !canonicalBytes(read.value).equals(row.receipt)) {
    findings.add("CHECK_RECEIPT_BYTES", where);
    return;
  }
  const receipt = read.value;
  const facts = (about: { task: unknown; worker: unknown; fence: unknown }): string =>
    `${about.task} ${about.worker} ${about.fence}`;
  const told = facts({ task: receipt.task_id, worker: receipt.worker_id, fence: receipt.fencing_token });
  const expected = facts({ task: row.taskId, worker: row.workerId, fence: row.fence });
  findings.same("CHECK_RECEIPT_ROW", where, { expected, actual: told });
  findings.same("CHECK_RECEIPT_ROW", where, {
    expected: row.idempotencyKey,
    actual: receipt.idempotency_key,
  });
  findings.same("CHECK_RECEIPT_REQUEST", where, {
    expected: receipt.request_sha256,
    actual: sha256(row.request),
  });
  const body = readDocument(SubmitRequest, row.request, { bytes: LIMITS.submitBytes });
  if (body.ok) {
    const { task_id: task, worker_id: worker, fencing_token: fence, result } = body.value;
    findings.same("CHECK_RECEIPT_ROW", where, { expected, actual: facts({ task, worker, fence }) });
    findings.same("CHECK_RECEIPT_RESULT", where, {
      expected: receipt.result_sha256,
      actual: sha256(canonicalBytes(result)),
    });
  } else
    findings.add("CHECK_RECEIPT_RESULT", where, { expected: receipt.result_sha256, actual: body.problem });
  await checkTask(rows, row, findings);
}

/** The task has come as far as the receipt says, and a slot's receipt has an object. */
async function checkTask(
  rows: ReadRows,
  row: ReceiptRow & { fence: number },
  findings: Findings,
): Promise<void> {
  const where = `receipt ${row.taskId} version ${row.version}`;
  const task = await rows.task(row.taskId);
  if (task === null || row.version > task.version) {
    findings.add("CHECK_TASK_RECEIPT", where, { expected: "a task", actual: task?.version ?? "none" });
    return;
  }
  if (row.fence > task.fence) findings.add("CHECK_FENCE", where, { expected: task.fence, actual: row.fence });
  if (row.version === task.version) {
    findings.same("CHECK_TASK_RECEIPT", where, { expected: "done", actual: task.state });
    findings.same("CHECK_FENCE", where, { expected: task.fence, actual: row.fence });
  }
  if (task.slot !== null && (await rows.objectDigest(row.taskId, row.version)) === null)
    findings.add("CHECK_OBJECT_MISSING", where);
}
