import { CATALOGUE } from "./catalogue.ts";
import { WIRE_CODES } from "./codes/wire.ts";
import { OUTCOMES } from "./documents/child-result.ts";
import { SLOTS, STEPS, type Step } from "./flow.ts";
import { ROUTES, type RouteName } from "./routes.ts";
import { TOOL_VERSION } from "./version.ts";

/** One metric. Every value that a label can take is listed: nothing of a worker's making becomes a label. */
export interface MetricEntry {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram, in the metric's unit. */
  readonly buckets?: readonly number[];
}

const wireCodes = Object.keys(WIRE_CODES);
const routes = [...Object.keys(ROUTES), "unknown"];
/** Statuses that are counted by themselves; 499 is a client that went away. */
const statuses = [
  ...new Set([200, 201, 204, 206, 303, 304, 499, ...Object.values(WIRE_CODES).map((code) => code.http)]),
]
  .sort((left, right) => left - right)
  .map(String);
/** Refusals of a request that another worker, or an earlier request, was faster than. */
const conflicts = Object.entries(WIRE_CODES)
  .filter(([code, { http }]) => http === 409 || code === "idempotency_conflict")
  .map(([code]) => code);

/** Queue states as they are told of: a lease that has ended and that nobody has taken over is `expired`. */
export const DEPTH_STATES = ["ready", "leased", "expired"] as const;
export type DepthState = (typeof DEPTH_STATES)[number];

/** What `GET /metrics` of a gateway can tell. */
export const GATEWAY_METRICS = {
  render_handoff_gateway_info: {
    type: "gauge",
    help: "1, with the version of the program.",
    labels: { version: [TOOL_VERSION] },
  },
  render_handoff_gateway_requests_total: {
    type: "counter",
    help: "Answers by route and status.",
    labels: { route: routes, status: [...statuses, "other"] },
  },
  render_handoff_gateway_errors_total: {
    type: "counter",
    help: "Problem documents by route and code.",
    labels: { route: routes, code: wireCodes },
  },
  render_handoff_gateway_request_duration_seconds: {
    type: "histogram",
    help: "From a request's headers to the last byte of its answer; streams of events are not in it.",
    labels: { route: routes },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30],
  },
  render_handoff_gateway_claims_total: {
    type: "counter",
    help: "Claims that were granted: new ones, and repeated ones that got their stored lease.",
    labels: { outcome: ["new", "replayed"] },
  },
  render_handoff_gateway_conflicts_total: {
    type: "counter",
    help: "Requests that were refused because of what another request had done before, by code.",
    labels: { code: conflicts },
  },
  render_handoff_gateway_lease_expiries_total: {
    type: "counter",
    help: "Leases that ended without a word of their worker, counted when another claim takes the task.",
    labels: {},
  },
  render_handoff_gateway_stale_refusals_total: {
    type: "counter",
    help: "Writes that were refused because the lease is not the worker's any more, by route.",
    labels: { route: ["heartbeat", "putBlob", "putPreview", "release", "submit"] },
  },
  render_handoff_gateway_submits_total: {
    type: "counter",
    help: "Hand-ins that got a receipt: accepted now, or the stored receipt of an earlier one.",
    labels: { outcome: ["accepted", "replayed", "superseded"] },
  },
  render_handoff_gateway_verdicts_total: {
    type: "counter",
    help: "Verdicts that checkers posted, the same ones again not counted.",
    labels: { verdict: ["accepted", "rejected"] },
  },
  render_handoff_gateway_blob_bytes_total: {
    type: "counter",
    help: "Bytes of blobs that were received (in) and sent (out).",
    labels: { direction: ["in", "out"] },
  },
  render_handoff_gateway_removed_blobs_total: {
    type: "counter",
    help: "Blobs that were removed because nothing refers to them.",
    labels: {},
  },
  render_handoff_gateway_removed_blob_bytes_total: {
    type: "counter",
    help: "Bytes of the blobs that were removed.",
    labels: {},
  },
  render_handoff_gateway_store_up: {
    type: "gauge",
    help: "1 when the store took a write at this scrape, else 0: then the queue's figures are left out.",
    labels: {},
  },
  render_handoff_gateway_tasks: {
    type: "gauge",
    help: "Tasks that are not done, by state; at most 10000 are counted.",
    labels: { state: DEPTH_STATES },
  },
  render_handoff_gateway_oldest_task_seconds: {
    type: "gauge",
    help: "How long the longest-standing of the oldest 1000 open tasks has been in its state; 0 for none.",
    labels: { state: DEPTH_STATES },
  },
  render_handoff_gateway_events_held_seconds: {
    type: "gauge",
    help: "For how long an event has waited to be told because a transaction older than it still runs (PostgreSQL).",
    labels: {},
  },
  process_cpu_seconds_total: { type: "counter", help: "CPU time of the process.", labels: {} },
  process_resident_memory_bytes: { type: "gauge", help: "Memory of the process.", labels: {} },
  process_start_time_seconds: { type: "gauge", help: "When the process began to serve.", labels: {} },
  process_open_fds: { type: "gauge", help: "Open file descriptors of the process.", labels: {} },
  nodejs_heap_size_used_bytes: { type: "gauge", help: "Memory of JavaScript objects.", labels: {} },
} as const satisfies Record<string, MetricEntry>;
export type GatewayMetric = keyof typeof GATEWAY_METRICS;

/** Parts of a run of render-child whose time is told, in the order in which they come. */
export const CHILD_PARTS = [
  "start",
  "drain",
  "claim",
  "scene",
  "blender",
  "check",
  "bundle",
  "upload",
  "submit",
] as const;
export type ChildPart = (typeof CHILD_PARTS)[number];

const reasons = [
  "none",
  ...Object.entries(CATALOGUE)
    .filter(([, { kind }]) => kind !== "finding")
    .map(([code]) => code),
];

/** `none`: a dispatched run for which nothing was due. */
const runSlots = [...SLOTS, "none"];

/** What render-child writes for node_exporter's textfile collector, about its latest run. */
export const CHILD_METRICS = {
  render_handoff_child_info: {
    type: "gauge",
    help: "1, with the version of the program.",
    labels: { version: [TOOL_VERSION], slot: runSlots },
  },
  render_handoff_child_last_run_timestamp_seconds: {
    type: "gauge",
    help: "When the latest run ended.",
    labels: { slot: runSlots },
  },
  render_handoff_child_last_success_timestamp_seconds: {
    type: "gauge",
    help: "When a run last ended as completed; 0 for never.",
    labels: { slot: runSlots },
  },
  render_handoff_child_outcome: {
    type: "gauge",
    help: "1 for the outcome of the latest run, 0 for the others.",
    labels: { slot: runSlots, outcome: OUTCOMES },
  },
  render_handoff_child_reason: {
    type: "gauge",
    help: "1, with the code that the latest run ended with.",
    labels: { slot: runSlots, code: reasons },
  },
  render_handoff_child_part_seconds: {
    type: "gauge",
    help: "Time of the latest run by its parts.",
    labels: { slot: runSlots, part: CHILD_PARTS },
  },
  render_handoff_child_transport_attempts: {
    type: "gauge",
    help: "Requests of the latest run by step, repeated ones included.",
    labels: { slot: runSlots, step: STEPS },
  },
  render_handoff_child_frames: {
    type: "gauge",
    help: "Frames that Blender finished in the latest run.",
    labels: { slot: runSlots },
  },
  render_handoff_child_runs_total: {
    type: "counter",
    help: "Runs that wrote this file, by outcome, since it was first written.",
    labels: { slot: runSlots, outcome: OUTCOMES },
  },
} as const satisfies Record<string, MetricEntry>;
export type ChildMetric = keyof typeof CHILD_METRICS;

/** The step that a route belongs to, for log lines; routes beside the flow have none. */
export const STEP_OF_ROUTE: Partial<Record<RouteName, Step>> = {
  claim: "claim",
  heartbeat: "render",
  release: "render",
  putBlob: "upload",
  submit: "submit",
};

/** Request ids of clients that a gateway takes over; any other is replaced by one of its own. */
export const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
