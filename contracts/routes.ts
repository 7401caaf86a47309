import type { WireCode } from "./catalogue.ts";
import { ProvenanceGraph } from "./documents/provenance-graph.ts";
import { Receipt } from "./documents/receipt.ts";
import { CheckerRecord, TaskRecord, WellKnown, WorkerRecord } from "./documents/records.ts";
import { Verdict } from "./documents/verdict.ts";
import { LIMITS } from "./limits.ts";
import * as people from "./wire/people.ts";
import * as queue from "./wire/queue.ts";
import { get, post, ROLES, type Route } from "./wire/route.ts";
import * as upkeep from "./wire/upkeep.ts";
import { VerdictAnswer } from "./wire/verdict.ts";

const any = ROLES;
const LEASE: readonly WireCode[] = ["stale_or_invalid_lease", "task_unknown", "worker_identity_mismatch"];

/** All routes: the gateway registers exactly these, the client calls these, OpenAPI is made from them. */
export const ROUTES = {
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
  },
  listTasks: get(
    "/q/tasks",
    any,
    "Tasks by state, slot and job, oldest first.",
    people.TaskList,
    [],
    ["state", "slot", "job", "limit", "cursor"],
  ),
  claim: post(
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
  },
  getBlob: get("/q/blob/{sha256}", any, "Bytes by digest; ranges.", "bytes", [
    "blob_unknown",
    "range_not_satisfiable",
  ]),
  headBlob: {
    ...get("/q/blob/{sha256}", any, "Whether a blob is there, and its size.", "text", ["blob_unknown"]),
    method: "HEAD",
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
  },
  getTask: get("/q/task/{task_id}", any, "The record of a task.", TaskRecord, ["task_unknown"]),
  getReceipt: get(
    "/q/receipt/{task_id}",
    any,
    "The exact bytes of a receipt.",
    "bytes",
    ["receipt_unknown", "task_unknown"],
    ["version"],
  ),
  getRequest: get(
    "/q/request/{task_id}",
    any,
    "The exact bytes of the accepted submit.",
    "bytes",
    ["receipt_unknown", "task_unknown"],
    ["version"],
  ),
  getObject: get(
    "/q/object/{key}",
    any,
    "The envelope of an object.",
    "bytes",
    ["object_unknown", "object_version_unknown"],
    ["version", "sha256"],
  ),
  reopen: post(
    "/q/reopen",
    ["administrator"],
    "Makes a done task ready again: version + 1.",
    queue.ReopenRequest,
    queue.ReopenAnswer,
    ["not_done", "task_unknown", "version_superseded"],
  ),
  postVerdict: post(
    "/q/verdict",
    ["checker"],
    "Stores a verdict as an object built on both slots' objects.",
    Verdict,
    VerdictAnswer,
    ["job_unknown", "pin_mismatch"],
  ),
  getGraph: get(
    "/q/graph",
    ["administrator", "checker"],
    "What an object was built on, and what was built on it.",
    ProvenanceGraph,
    ["object_unknown", "object_version_unknown"],
    ["root", "version"],
  ),
  registerWorker: post(
    "/q/worker",
    ["administrator"],
    "Registers a worker; its token is shown once.",
    people.RegisterWorkerRequest,
    people.RegisterWorkerAnswer,
    [],
  ),
  listWorkers: get("/q/worker", ["administrator", "checker"], "All workers.", people.WorkerList, []),
  revokeWorker: post(
    "/q/worker/{id}/revoke",
    ["administrator"],
    "Ends a worker's token and leases.",
    null,
    WorkerRecord,
    ["worker_unknown"],
  ),
  registerChecker: post(
    "/q/checker",
    ["administrator"],
    "Registers a checker; its token is shown once.",
    people.RegisterCheckerRequest,
    people.RegisterCheckerAnswer,
    [],
  ),
  listCheckers: get("/q/checker", ["administrator"], "All checkers.", people.CheckerList, []),
  revokeChecker: post(
    "/q/checker/{id}/revoke",
    ["administrator"],
    "Ends a checker's token.",
    null,
    CheckerRecord,
    ["worker_unknown"],
  ),
  putPreview: {
    method: "PUT",
    path: "/q/preview/{task_id}",
    who: ["worker"],
    summary: "Shows a small picture of the last finished frame, under the lease.",
    body: "png",
    bodyBytes: LIMITS.previewBytes,
    request: null,
    query: ["frame"],
    answer: "text",
    codes: ["stale_or_invalid_lease", "task_unknown", "preview_invalid"],
  },
  getPreview: {
    ...get(
      "/q/preview/{task_id}",
      ["administrator", "checker"],
      "The picture that the task's worker shows; not verified.",
      "bytes",
      ["preview_unknown", "task_unknown"],
      ["seen"],
    ),
    page: true,
  },
  page: {
    ...get(
      "/",
      ["administrator", "checker"],
      "The page: what is going on.",
      "text",
      [],
      ["q", "show", "before", "handoff"],
    ),
    page: true,
  },
  pageScript: get("/page.js", "open", "The page's script.", "text", []),
  pageStyle: get("/page.css", "open", "The page's style.", "text", []),
  pageIcon: get("/page.svg", "open", "The page's icon.", "text", []),
  login: {
    ...post("/login", "open", "Keeps a token in the page's cookie.", null, "text", []),
    body: "form",
    bodyBytes: 4_096,
  },
  logout: { ...post("/logout", "open", "Forgets the page's cookie.", null, "text", []), body: "form" },
  events: {
    ...get(
      "/q/events",
      any,
      "Server-sent events: what changed, and how far the leased tasks are.",
      "text",
      [],
      ["after", "brief"],
    ),
    page: true,
  },
  collectGarbage: post(
    "/q/gc",
    ["administrator"],
    "Removes blobs that nothing refers to, a part at a time.",
    upkeep.CollectRequest,
    upkeep.CollectAnswer,
    [],
  ),
  health: get("/healthz", "open", "The process is alive.", people.Health, []),
  ready: get("/readyz", "open", "The store answers.", people.Health, ["unavailable"]),
  metrics: {
    ...get("/metrics", ["administrator", "checker"], "Figures in Prometheus text.", "text", []),
    openOnLoopback: true,
  },
  openapi: get("/openapi.json", "open", "This table as OpenAPI 3.1.", "bytes", []),
  wellKnown: get("/.well-known/render-handoff", "open", "Who this gateway is.", WellKnown, []),
} as const satisfies Record<string, Route>;
export type RouteName = keyof typeof ROUTES;

/** Codes that any route with a token or a body may answer. */
export const COMMON_CODES: readonly WireCode[] = [
  "unauthenticated",
  "role_forbidden",
  "worker_revoked",
  "malformed_http",
  "invalid_json",
  "duplicate_json_key",
  "invalid_request_shape",
  "body_too_large",
  "request_timeout",
  "unsupported_media_type",
  "rate_limited",
  "internal_error",
  "unavailable",
];

/** Headers of our own and those with a meaning beyond HTTP's. Lower case. */
export const HEADERS = {
  gateway: "render-handoff-gateway",
  requestId: "request-id",
  idempotencyKey: "idempotency-key",
  replayed: "idempotent-replayed",
  superseded: "superseded",
  taskId: "task-id",
  fencingToken: "fencing-token",
  contentDigest: "content-digest",
} as const;
