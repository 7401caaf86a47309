import { z } from "zod";
import { POSTED_VERDICTS } from "../documents/verdict.ts";
import {
  CheckerUuid,
  Count,
  Fence,
  Label,
  Positive,
  Sha256,
  TaskId,
  Timestamp,
  WorkerUuid,
} from "../names.ts";
import { Progress } from "./queue.ts";

/** Where a reader is in the events: opaque, in order only for the gateway that gave it. */
export const EventCursor = z.string().regex(/^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})$/);

/** What happened, and what is told of it beside task, job and worker. */
export const EVENT_DETAILS = {
  job_put: z.strictObject({ job_sha256: Sha256 }),
  enqueued: z.strictObject({}),
  claimed: z.strictObject({ fencing_token: Fence, version: Positive }),
  /** Told when the next claim takes over: the moment itself is in nobody's hands. */
  lease_expired: z.strictObject({ fencing_token: Fence }),
  released: z.strictObject({ fencing_token: Fence, reason: z.string() }),
  blob_stored: z.strictObject({ fencing_token: Fence, sha256: Sha256, bytes: Count }),
  submitted: z.strictObject({ fencing_token: Fence, version: Positive, result_sha256: Sha256 }),
  reopened: z.strictObject({ version: Positive, reason: z.string() }),
  worker_registered: z.strictObject({ name: Label }),
  worker_revoked: z.strictObject({}),
  checker_revoked: z.strictObject({ checker_uuid: CheckerUuid }),
  verdict_posted: z.strictObject({
    verdict: z.enum(POSTED_VERDICTS),
    report_sha256: Sha256,
    version: Positive,
  }),
} as const;
export type EventKind = keyof typeof EVENT_DETAILS;
export type EventDetail<Kind extends EventKind = EventKind> = z.infer<(typeof EVENT_DETAILS)[Kind]>;

const told = <Kind extends EventKind>(kind: Kind) =>
  z.strictObject({
    kind: z.literal(kind),
    cursor: EventCursor,
    at: Timestamp,
    task_id: TaskId.nullable(),
    job_id: z.string().nullable(),
    worker_uuid: WorkerUuid.nullable(),
    detail: EVENT_DETAILS[kind],
  });

/** The data of a server-sent event `change`. */
export const ChangeEvent = z.discriminatedUnion("kind", [
  told("job_put"),
  told("enqueued"),
  told("claimed"),
  told("lease_expired"),
  told("released"),
  told("blob_stored"),
  told("submitted"),
  told("reopened"),
  told("worker_registered"),
  told("worker_revoked"),
  told("checker_revoked"),
  told("verdict_posted"),
]);
export type ChangeEvent = z.infer<typeof ChangeEvent>;

/** The data of a server-sent event `progress`: a lease was taken, extended or told of; it has no cursor. */
export const ProgressEvent = z.strictObject({
  task_id: TaskId,
  worker_uuid: WorkerUuid,
  fencing_token: Fence,
  lease_expires_at: Timestamp,
  progress: Progress.nullable(),
});
export type ProgressEvent = z.infer<typeof ProgressEvent>;
