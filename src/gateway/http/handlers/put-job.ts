import { putJob as store } from "../../queue/put-job.ts";
import { ok } from "../call.ts";
import { raw } from "../handler.ts";

/** 201 for a new job, 200 for the same bytes again. */
export const putJob = raw(async (call, bytes) => {
  const stored = await store(call.services.queue, bytes);
  call.note({ job_id: stored.job_id, sha256: stored.job_sha256 });
  return ok(stored, stored.created ? 201 : 200);
});
