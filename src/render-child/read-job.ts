import { brokenJobRules, Job } from "../../contracts/documents/job.ts";
import type { TaskRecord } from "../../contracts/documents/records.ts";
import { SlotTask } from "../../contracts/documents/slot-task.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { sha256 } from "../core/digest.ts";
import { HandoffError } from "../core/error.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { narrow, readDocument } from "../core/json/read-document.ts";
import type { GatewayClient } from "../gateway-client/client.ts";

/** Payload of a slot's task; null for another kind of task. */
export function readSlotTask(task: Pick<TaskRecord, "payload" | "task_id">): SlotTask | null {
  const read = narrow(SlotTask, task.payload);
  if (!read.ok) return null;
  return slotTaskId(read.value.job_id, read.value.slot) === task.task_id ? read.value : null;
}

/**
 * The job that a task names, with nothing taken on trust: digest, schema, rules across fields, canonical
 * form. Throws CLAIM_JOB_DIGEST or CLAIM_JOB_INVALID.
 */
export async function readJob(client: GatewayClient, task: SlotTask): Promise<Job> {
  const { value: bytes } = await client.getJob(task.job_id);
  const digest = sha256(bytes);
  if (digest !== task.job_sha256)
    throw new HandoffError(
      "CLAIM_JOB_DIGEST",
      `The task names ${task.job_sha256}, the bytes have ${digest}.`,
    );
  const read = readDocument(Job, bytes, { bytes: LIMITS.jobBytes });
  if (!read.ok) throw new HandoffError("CLAIM_JOB_INVALID", `${read.path}: ${read.problem}`);
  const broken = brokenJobRules(read.value);
  if (!canonicalBytes(read.value).equals(bytes)) broken.push("the bytes are not in canonical form");
  if (read.value.job_id !== task.job_id) broken.push("the job has another id than the task names");
  if (broken.length > 0) throw new HandoffError("CLAIM_JOB_INVALID", `${broken[0]}.`, { details: broken });
  return read.value;
}
