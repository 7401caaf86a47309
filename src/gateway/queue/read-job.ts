import { HandoffError } from "../../core/error.ts";
import type { Queue } from "./queue.ts";
import type { JobRow } from "./rows.ts";

/** A job's exact bytes with their digest, or job_unknown. */
export async function readJob(queue: Queue, jobId: string): Promise<JobRow> {
  const job = await queue.store.read((rows) => rows.job(jobId));
  if (job === null) throw new HandoffError("job_unknown");
  return job;
}
