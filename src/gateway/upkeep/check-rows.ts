import { Job } from "../../../contracts/documents/job.ts";
import { Receipt } from "../../../contracts/documents/receipt.ts";
import { SlotResult } from "../../../contracts/documents/slot-result.ts";
import { SlotTask } from "../../../contracts/documents/slot-task.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { sha256 } from "../../core/digest.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { readDocument } from "../../core/json/read-document.ts";
import type { JobRow, ObjectRow, TaskRow } from "../queue/rows.ts";
import type { ReadRows } from "../queue/store.ts";
import type { Findings } from "./findings.ts";

const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");

/** A job's bytes, id and digest; its scene's blobs are listed, and listed as needed by it. */
export async function checkJob(rows: ReadRows, row: JobRow, findings: Findings): Promise<void> {
  const where = `job ${row.jobId}`;
  const read = readDocument(Job, row.bytes, { bytes: LIMITS.jobBytes });
  const whole = read.ok && read.value.job_id === row.jobId && canonicalBytes(read.value).equals(row.bytes);
  if (!whole || sha256(row.bytes) !== row.sha256) {
    findings.add("CHECK_JOB", where, { expected: row.sha256, actual: sha256(row.bytes) });
    return;
  }
  for (const file of read.value.scene.files) {
    const listed = await rows.sceneListed(file.sha256, row.jobId);
    const bytes = await rows.blobBytes(file.sha256);
    if (listed && bytes === file.bytes) continue;
    const actual = listed ? (bytes ?? "no blob") : "not listed for the job";
    findings.add("CHECK_BLOB_UNRECORDED", `${where}: ${file.sha256}`, { expected: file.bytes, actual });
  }
}

/** A slot's task names its job; a task is done exactly when its version has a receipt. */
export async function checkTask(rows: ReadRows, task: TaskRow, findings: Findings): Promise<void> {
  const where = `task ${task.taskId}`;
  if (task.jobId !== null) {
    const payload = readDocument(SlotTask, utf8(task.payload));
    const job = await rows.job(task.jobId);
    const expected = `${job?.jobId} ${job?.sha256} ${task.slot}`;
    const actual = payload.ok
      ? `${payload.value.job_id} ${payload.value.job_sha256} ${payload.value.slot}`
      : payload.problem;
    findings.same("CHECK_TASK_PAYLOAD", where, { expected, actual });
  }
  const receipt = await rows.receipt(task.taskId, task.version);
  findings.same("CHECK_TASK_RECEIPT", where, {
    expected: receipt === null ? "not done" : "done",
    actual: task.state === "done" ? "done" : "not done",
  });
}

/** An object's digest, the receipt that it came with, and its bundle's row. */
export async function checkObject(rows: ReadRows, row: ObjectRow, findings: Findings): Promise<void> {
  const where = `object ${row.key} version ${row.version}`;
  findings.same("CHECK_OBJECT_SHA256", where, { expected: row.sha256, actual: sha256(row.payload) });
  const stored = await rows.receipt(row.taskId, row.version);
  const receipt = stored === null ? null : readDocument(Receipt, stored.receipt);
  const expected = `${row.receiptSha256} ${row.sha256} ${row.fence} ${row.workerId}`;
  const actual =
    stored === null || receipt === null || !receipt.ok
      ? "no receipt"
      : `${sha256(stored.receipt)} ${receipt.value.result_sha256} ${receipt.value.fencing_token} ${receipt.value.worker_id}`;
  findings.same("CHECK_OBJECT_RECEIPT", where, { expected, actual });
  const result = readDocument(SlotResult, utf8(row.payload), { bytes: LIMITS.submitBytes });
  if (!result.ok) return;
  const { sha256: bundle, bytes } = result.value.bundle;
  const listed = (await rows.blobBytes(bundle)) ?? "no blob";
  findings.same("CHECK_BLOB_UNRECORDED", `${where}: ${bundle}`, { expected: bytes, actual: listed });
}
