import type { FindingCode } from "../../../contracts/catalogue.ts";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { ObjectEnvelope } from "../../../contracts/documents/object.ts";
import { STABLE_EDGE_FIELDS, STABLE_FIELDS } from "../../../contracts/object-fields.ts";
import { slotTaskId } from "../../../contracts/task-names.ts";
import { secondsOf } from "../../core/clock.ts";
import { canonicalText } from "../../core/json/canonical.ts";
import type { Json } from "../../core/json/parse-strict.ts";
import { isObject, type PayloadFacts } from "../envelope/read-envelope.ts";
import type { Facts, JobFacts, ProvenanceFacts, SlotFacts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

/** Check `provenance`: complete, verified, stable, newest, and it belongs to task, receipt and request. */
export const checkProvenance = ({ job, slots }: Facts): Finding[] =>
  [slots.a, slots.b].flatMap((facts) => [
    ...(["before", "after"] as const).flatMap((when) => oneRead(facts, when, job)),
    ...stable(facts),
    ...taskDone(facts),
    ...fences(facts),
    ...receiptOf(facts),
  ]);

type States = { expected?: string | number | boolean; actual?: string | number | boolean };
type Report = (code: FindingCode, field: string, states?: States) => void;

function oneRead(facts: SlotFacts, when: "before" | "after", job: JobFacts | null): Finding[] {
  const envelope = facts[when]?.envelope;
  if (envelope === undefined) return [];
  const { slot } = facts;
  const findings: Finding[] = [];
  const report: Report = (code, field, states = {}) => {
    const path = slotPath(slot, `provenance.${when}.json#/envelope/${field}`);
    findings.push(finding(code, { slot, path, ...states }));
  };
  if (envelope.shape !== "own") {
    report("JOIN_PROVENANCE_INCOMPLETE", "schema", {
      expected: "render_handoff.object.v1",
      actual: envelope.shape,
    });
    return findings;
  }
  const { value, payload } = envelope;
  verified(value, payload, report);
  newest(value, facts, report);
  belongs(value, { facts, job, report });
  return findings;
}

function verified(value: ObjectEnvelope, payload: PayloadFacts, report: Report): void {
  const code = "JOIN_PROVENANCE_UNVERIFIED";
  if (value.integrity_status !== "verified")
    report(code, "integrity_status", { expected: "verified", actual: value.integrity_status });
  for (const field of ["payload_sha256_verified", "payload_json_valid"] as const)
    if (!value[field]) report(code, field, { expected: true, actual: false });
  if (payload.sha256 !== value.sha256_hash)
    report(code, "payload", { expected: value.sha256_hash, actual: payload.sha256 });
  if (payload.bytes !== value.total_payload_bytes)
    report(code, "total_payload_bytes", { expected: payload.bytes, actual: value.total_payload_bytes });
}

function newest(value: ObjectEnvelope, { task }: SlotFacts, report: Report): void {
  const [expected, actual] = [value.version_num, value.version_count];
  if (actual > expected) report("JOIN_PROVENANCE_SUPERSEDED", "version_count", { expected, actual });
  else if (actual < expected) report("JOIN_PROVENANCE_MISMATCH", "version_count", { expected, actual });
  const version = task?.value.version;
  if (version === undefined || version === expected) return;
  const code = version > expected ? "JOIN_PROVENANCE_SUPERSEDED" : "JOIN_PROVENANCE_MISMATCH";
  report(code, "version_num", { expected: version, actual: expected });
}

interface Belonging {
  readonly facts: SlotFacts;
  readonly job: JobFacts | null;
  readonly report: Report;
}

function belongs(value: ObjectEnvelope, { facts, job, report }: Belonging): void {
  const { slot, receipt, request } = facts;
  const same = (field: string, expected: string | undefined, actual: string): void => {
    if (expected !== undefined && expected !== actual)
      report("JOIN_PROVENANCE_MISMATCH", field, { expected, actual });
  };
  const taskId = job === null ? undefined : slotTaskId(job.value.job_id, slot);
  same("object_key", taskId, value.object_key);
  same("source_task_id", taskId, value.source_task_id);
  same("sha256_hash", request?.resultSha256, value.sha256_hash);
  same("receipt_sha256", receipt?.sha256, value.receipt_sha256);
}

function stable({ slot, before, after }: SlotFacts): Finding[] {
  if (before === null || after === null) return [];
  return STABLE_FIELDS.filter((field) => stableText(before, field) !== stableText(after, field)).map(
    (field) =>
      finding("JOIN_PROVENANCE_UNSTABLE", {
        slot,
        path: slotPath(slot, `provenance.after.json#/envelope/${field}`),
        expected: stableText(before, field),
        actual: stableText(after, field),
      }),
  );
}

function stableText({ envelope }: ProvenanceFacts, field: string): string {
  const value = isObject(envelope.raw) ? (envelope.raw[field] ?? null) : null;
  return canonicalText(field === "built_on_edges" ? edges(value) : value);
}

/** Of an edge only what is pinned: the latest version of its target may move. */
const edges = (value: Json): Json =>
  Array.isArray(value)
    ? value.map((edge) => STABLE_EDGE_FIELDS.map((field) => (isObject(edge) ? (edge[field] ?? null) : null)))
    : value;

/** Without a receipt the slot is pending, which is no fault. */
function taskDone({ slot, task, receipt }: SlotFacts): Finding[] {
  if (task === null || receipt === null || task.value.state === "done") return [];
  const path = slotPath(slot, "task.json#/state");
  return [finding("JOIN_TASK_NOT_DONE", { slot, path, expected: "done", actual: task.value.state })];
}

function fences(facts: SlotFacts): Finding[] {
  const { slot, task, request, receipt, bundle } = facts;
  if (receipt === null) return [];
  const expected = receipt.value.fencing_token;
  const named: [string, number | undefined][] = [
    ["task.json#/fencing_token", task?.value.fencing_token],
    ["request.json#/fencing_token", request?.fencing_token],
    ["bundle.zip#manifest.json/fencing_token", bundle?.manifest?.value.fencing_token],
  ];
  for (const when of ["before", "after"] as const) {
    const envelope = facts[when]?.envelope;
    if (envelope?.shape === "own")
      named.push([`provenance.${when}.json#/envelope/fencing_token`, envelope.value.fencing_token]);
  }
  return named
    .filter(([, actual]) => actual !== undefined && actual !== expected)
    .map(([path, actual]) =>
      finding("JOIN_FENCE_MISMATCH", { slot, path: slotPath(slot, path), expected, actual: actual ?? null }),
    );
}

/** The receipt's digests are recomputed from the raw request; the result came before the lease ended. */
function receiptOf({ slot, receipt, request, before }: SlotFacts): Finding[] {
  if (receipt === null) return [];
  const findings: Finding[] = [];
  const { value } = receipt;
  const path = (field: string): string => slotPath(slot, `receipt.json#/${field}`);
  if (request !== null)
    for (const [field, expected] of [
      ["request_sha256", request.sha256],
      ["result_sha256", request.resultSha256],
    ] as const)
      if (value[field] !== expected)
        findings.push(
          finding("JOIN_RECEIPT_MISMATCH", { slot, path: path(field), expected, actual: value[field] }),
        );
  if (before?.envelope.shape !== "own") return findings;
  const created = before.envelope.value.created_at;
  const [at, end] = [secondsOf(created), secondsOf(value.lease_expires_at)];
  // a lease is valid only while now < lease_expires_at
  if (at === null || end === null || at >= end)
    findings.push(
      finding("JOIN_RECEIPT_LATE", {
        slot,
        path: path("lease_expires_at"),
        expected: `after ${created}`,
        actual: value.lease_expires_at,
      }),
    );
  return findings;
}
