import { readJob } from "../../queue/read-job.ts";
import { JSON_TYPE, param } from "../call.ts";
import { plain } from "../handler.ts";

/** Exactly the bytes that were put. */
export const getJob = plain(async (call) => {
  const job = await readJob(call.services.queue, param(call, "job_id"));
  return { kind: "bytes", status: 200, bytes: job.bytes, type: JSON_TYPE };
});
