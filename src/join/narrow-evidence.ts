import type { FindingCode } from "../../contracts/catalogue.ts";
import type { EvidenceGateway } from "../../contracts/documents/evidence.ts";
import type { Finding } from "../../contracts/documents/join-report.ts";
import type { Slot } from "../../contracts/flow.ts";
import { brokenJobRules } from "../../contracts/job-rules.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { KIND, narrowKind, readKind } from "./documents.ts";
import { rawMember } from "./envelope/raw-member.ts";
import { readEnvelope } from "./envelope/read-envelope.ts";
import type { JobFacts, ProvenanceFacts, RequestFacts, SlotFacts } from "./facts.ts";
import { finding, slotPath } from "./finding.ts";

type Files = ReadonlyMap<string, Buffer>;

/** Makes facts of one file's attacker-controlled bytes; null, with a finding, when they are malformed. */
interface Narrowing {
  readonly files: Files;
  readonly findings: Finding[];
}

/** The job of an evidence folder, and what is wrong with it (check `job`: schema, rules, canonical form). */
export async function narrowJob({ files, findings }: Narrowing): Promise<JobFacts | null> {
  const path = "job.json";
  const bytes = files.get(path);
  if (bytes === undefined) return null;
  const read = await readKind(KIND.job, bytes);
  if (!read.ok) {
    findings.push(finding("JOIN_JOB_INVALID", { path: `${path}#${read.path}`, actual: read.problem }));
    return null;
  }
  const broken = brokenJobRules(read.value);
  for (const rule of broken) findings.push(finding("JOIN_JOB_INVALID", { path, actual: rule }));
  if (broken.length > 0) return null;
  if (!canonicalBytes(read.value).equals(bytes))
    findings.push(finding("JOIN_JOB_INVALID", { path, expected: "the canonical form", actual: "another" }));
  return { value: read.value, sha256: sha256(bytes) };
}

export async function narrowGateway({ files, findings }: Narrowing): Promise<EvidenceGateway | null> {
  const path = "gateway.json";
  const bytes = files.get(path);
  if (bytes === undefined) return null;
  const read = await readKind(KIND.evidenceGateway, bytes);
  if (read.ok) return read.value;
  findings.push(finding("JOIN_EVIDENCE_INVALID", { path: `${path}#${read.path}`, actual: read.problem }));
  return null;
}

/** Everything of a slot but its bundle. */
export async function narrowSlot(slot: Slot, from: Narrowing): Promise<Omit<SlotFacts, "bundle">> {
  return {
    slot,
    task: await narrowTask(slot, from),
    request: await narrowRequest(slot, from),
    receipt: await narrowReceipt(slot, from),
    before: await narrowProvenance(slot, "before", from),
    after: await narrowProvenance(slot, "after", from),
  };
}

async function narrowTask(slot: Slot, { files, findings }: Narrowing): Promise<SlotFacts["task"]> {
  const path = slotPath(slot, "task.json");
  const bytes = files.get(path);
  if (bytes === undefined) return null;
  const invalid = (at: string, problem: string): null => {
    findings.push(finding("JOIN_TASK_INVALID", { slot, path: `${path}#${at}`, actual: problem }));
    return null;
  };
  const read = await readKind(KIND.taskRecord, bytes);
  if (!read.ok) return invalid(read.path, read.problem);
  const payload = await narrowKind(KIND.slotTask, read.value.payload);
  if (!payload.ok) invalid(`/payload${payload.path}`, payload.problem);
  return { value: read.value, payload: payload.ok ? payload.value : null };
}

async function narrowRequest(slot: Slot, { files, findings }: Narrowing): Promise<RequestFacts | null> {
  const path = slotPath(slot, "request.json");
  const bytes = files.get(path);
  if (bytes === undefined) return null;
  const invalid = (at: string, problem: string): null => {
    findings.push(finding("JOIN_REQUEST_INVALID", { slot, path: `${path}#${at}`, actual: problem }));
    return null;
  };
  const read = await readKind(KIND.submitRequest, bytes);
  if (!read.ok) return invalid(read.path, read.problem);
  const result = await narrowKind(KIND.slotResult, read.value.result);
  if (!result.ok) return invalid(`/result${result.path}`, result.problem);
  const { task_id, worker_id, fencing_token } = read.value;
  const resultSha256 = sha256(canonicalBytes(read.value.result));
  return { sha256: sha256(bytes), task_id, worker_id, fencing_token, result: result.value, resultSha256 };
}

async function narrowReceipt(slot: Slot, { files, findings }: Narrowing): Promise<SlotFacts["receipt"]> {
  const path = slotPath(slot, "receipt.json");
  const bytes = files.get(path);
  if (bytes === undefined) return null;
  const read = await readKind(KIND.receipt, bytes);
  if (!read.ok) {
    const place = { slot, path: `${path}#${read.path}`, actual: read.problem };
    findings.push(finding("JOIN_RECEIPT_INVALID", place));
    return null;
  }
  if (!canonicalBytes(read.value).equals(bytes))
    findings.push(finding("JOIN_RECEIPT_INVALID", { slot, path, expected: "the canonical form" }));
  return { value: read.value, sha256: sha256(bytes) };
}

async function narrowProvenance(
  slot: Slot,
  when: "before" | "after",
  { files, findings }: Narrowing,
): Promise<ProvenanceFacts | null> {
  const path = slotPath(slot, `provenance.${when}.json`);
  const bytes = files.get(path);
  if (bytes === undefined) return null;
  const fail = (code: FindingCode, at: string, problem: string | null): null => {
    findings.push(finding(code, { slot, path: `${path}#${at}`, actual: problem }));
    return null;
  };
  const read = await readKind(KIND.provenanceRead, bytes);
  if (!read.ok) return fail("JOIN_EVIDENCE_INVALID", read.path, read.problem);
  const envelope = await readEnvelope(read.value.envelope, rawMember(bytes, ["envelope", "payload"]));
  if (envelope.ok) return { gatewayId: read.value.gateway_id, envelope: envelope.envelope };
  if (envelope.why === "malformed")
    return fail("JOIN_EVIDENCE_INVALID", `/envelope${envelope.path}`, envelope.problem);
  for (const field of envelope.missing) fail("JOIN_PROVENANCE_INCOMPLETE", `/envelope/${field}`, "absent");
  return null;
}
