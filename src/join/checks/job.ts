import type { Finding } from "../../../contracts/documents/join-report.ts";
import { slotTaskId } from "../../../contracts/task-names.ts";
import type { Facts, JobFacts, SlotFacts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

/** Check `job`: every document of a slot names this job, this slot and this task; the anchor holds. */
export function checkJob({ job, slots }: Facts, expectJob: string | null): Finding[] {
  if (job === null) return [];
  const findings = [slots.a, slots.b].flatMap((slot) => belongsTo(job, slot));
  if (expectJob !== null && expectJob !== job.sha256)
    findings.push(
      finding("JOIN_JOB_NOT_EXPECTED", { path: "job.json", expected: expectJob, actual: job.sha256 }),
    );
  return findings;
}

function belongsTo(job: JobFacts, facts: SlotFacts): Finding[] {
  const { slot, task, request, receipt, bundle } = facts;
  const findings: Finding[] = [];
  const taskId = slotTaskId(job.value.job_id, slot);
  const same = (path: string, expected: string, actual: string | undefined): void => {
    if (actual !== undefined && actual !== expected)
      findings.push(finding("JOIN_JOB_MISMATCH", { slot, path: slotPath(slot, path), expected, actual }));
  };
  same("task.json#/task_id", taskId, task?.value.task_id);
  same("request.json#/task_id", taskId, request?.task_id);
  same("receipt.json#/task_id", taskId, receipt?.value.task_id);
  const manifest = bundle?.manifest?.value;
  same("bundle.zip#manifest.json/task_id", taskId, manifest?.task_id);
  same("bundle.zip#manifest.json/job_id", job.value.job_id, manifest?.job_id);
  same("task.json#/payload/job_id", job.value.job_id, task?.payload?.job_id);
  for (const [path, document] of [
    ["task.json#/payload", task?.payload],
    ["request.json#/result", request?.result],
    ["bundle.zip#manifest.json", manifest],
  ] as const) {
    same(`${path}/job_sha256`, job.sha256, document?.job_sha256);
    same(`${path}/slot`, slot, document?.slot);
  }
  return findings;
}
