import type { WireCode } from "../catalogue.ts";
import { Receipt } from "../documents/receipt.ts";
import { LIMITS } from "../limits.ts";
import * as people from "../wire/people.ts";
import * as queue from "../wire/queue.ts";
import { get, NEW_OR_SAME, post, ROLES, type Route } from "../wire/route.ts";

const any = ROLES;
const LEASE: readonly WireCode[] = ["stale_or_invalid_lease", "task_unknown", "worker_identity_mismatch"];

const BLOB = ["etag", "accept-ranges"] as const;

/** Jobs, tasks, blobs and hand-ins: what moves work along. */
export const QUEUE_ROUTES = {
  putJob: {
    ...post("/q/job", ["administrator"], "Stores a job and enqueues its slots.", null, queue.JobAnswer, [
      "job_invalid",
      "invalid_json",
      "duplicate_json_key",
      "task_identity_conflict",
      "blob_missing",
    ]),
    body: "raw",
    bodyBytes: LIMITS.jobBytes,
    statuses: NEW_OR_SAME,
  },
  getJob: get("/q/job/{job_id}", any, "The job's exact bytes.", "bytes", ["job_unknown"]),
  enqueue: {
    ...post(
      "/q/enqueue",
      ["administrator"],
      "Adds a task; the same again changes nothing.",
      queue.EnqueueRequest,
      queue.EnqueueAnswer,
      ["task_identity_conflict"],
    ),
    bodyBytes: LIMITS.jobBytes,
    statuses: NEW_OR_SAME,
  },
  listTasks: get(
    "/q/tasks",
    any,
    "Tasks by state, slot and job, oldest or newest first.",
    people.TaskList,
    [],
    ["state", "slot", "job", "order", "limit", "cursor"],
  ),
  claim: {
    ...post(
      "/q/claim",
      ["worker"],
      "Takes a task: fence + 1, owner, expiry.",
      queue.ClaimRequest,
      queue.ClaimAnswer,
      [
        "already_leased",
        "not_ready",
        "attempts_exhausted",
        "worker_not_distinct",
        "worker_passed_over",
        "claim_key_spent",
        "task_unknown",
        "worker_identity_mismatch",
        "idempotency_key_invalid",
      ],
    ),
    reads: { "idempotency-key": "optional" },
    says: ["idempotent-replayed"],
  },
  heartbeat: post(
    "/q/heartbeat",
    ["worker"],
    "Extends a lease.",
    queue.HeartbeatRequest,
    queue.HeartbeatAnswer,
    LEASE,
  ),
  release: post(
    "/q/release",
    ["worker"],
    "Gives a task back.",
    queue.ReleaseRequest,
    queue.ReleaseAnswer,
    LEASE,
  ),
  putBlob: {
    method: "PUT",
    path: "/q/blob/{sha256}",
    who: ["worker", "administrator"],
    summary: "Stores bytes under their digest.",
    body: "blob",
    bodyBytes: 0,
    request: null,
    query: [],
    answer: "text",
    codes: [...LEASE, "blob_digest_mismatch", "blob_length_mismatch", "blob_too_large", "length_required"],
    reads: {
      "task-id": "optional",
      "fencing-token": "optional",
      "content-length": "required",
      "content-digest": "optional",
    },
    says: BLOB,
    statuses: NEW_OR_SAME,
  },
  getBlob: {
    ...get("/q/blob/{sha256}", any, "Bytes by digest; ranges.", "bytes", [
      "blob_unknown",
      "range_not_satisfiable",
    ]),
    reads: { range: "optional", "if-range": "optional" },
    says: [...BLOB, "repr-digest", "content-digest", "content-range", "content-length"],
    statuses: { 200: "The whole blob.", 206: "The range that was asked for." },
  },
  headBlob: {
    ...get("/q/blob/{sha256}", any, "Whether a blob is there, and its size.", "text", ["blob_unknown"]),
    method: "HEAD",
    says: [...BLOB, "repr-digest", "content-length"],
  },
  submit: {
    ...post("/q/submit", ["worker"], "Hands in a result: the receipt.", null, Receipt, [
      "stale_or_invalid_lease",
      "not_ready",
      "idempotency_conflict",
      "idempotency_key_invalid",
      "invalid_request_shape",
      "duplicate_json_key",
      "invalid_json",
      "result_invalid",
      "blob_missing",
      "worker_identity_mismatch",
      "task_unknown",
    ]),
    body: "raw",
    bodyBytes: LIMITS.submitBytes,
    reads: { "idempotency-key": "required" },
    says: ["idempotent-replayed", "superseded"],
  },
} as const satisfies Record<string, Route>;
