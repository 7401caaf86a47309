import { ProvenanceGraph } from "../documents/provenance-graph.ts";
import { TaskRecord } from "../documents/records.ts";
import { Verdict } from "../documents/verdict.ts";
import * as queue from "../wire/queue.ts";
import { get, NEW_OR_SAME, post, ROLES, type Route } from "../wire/route.ts";
import { VerdictAnswer } from "../wire/verdict.ts";

const any = ROLES;

/** What is on record: tasks, receipts, objects, verdicts. */
export const RECORD_ROUTES = {
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
    "Makes a task ready again that is done or out of attempts: version + 1.",
    queue.ReopenRequest,
    queue.ReopenAnswer,
    ["not_done", "task_unknown", "version_superseded"],
  ),
  postVerdict: {
    ...post(
      "/q/verdict",
      ["checker"],
      "Stores a verdict as an object built on both slots' objects.",
      Verdict,
      VerdictAnswer,
      ["job_unknown", "pin_mismatch"],
    ),
    says: ["idempotent-replayed", "superseded"],
    statuses: NEW_OR_SAME,
  },
  getGraph: get(
    "/q/graph",
    ["administrator", "checker"],
    "What an object was built on, and what was built on it.",
    ProvenanceGraph,
    ["object_unknown", "object_version_unknown"],
    ["root", "version"],
  ),
} as const satisfies Record<string, Route>;
