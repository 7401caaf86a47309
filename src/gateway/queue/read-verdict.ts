import { Verdict, type VerdictEnvelope } from "../../../contracts/documents/verdict.ts";
import { SLOTS } from "../../../contracts/flow.ts";
import { joinKey, slotTaskId } from "../../../contracts/names.ts";
import { timestamp } from "../../core/clock.ts";
import { sha256 } from "../../core/digest.ts";
import { narrow } from "../../core/json/read-document.ts";
import { parseStored, readStored } from "./payload.ts";
import type { VerdictRow } from "./rows.ts";
import type { ReadRows } from "./store.ts";

/** The envelope of a posted verdict; its digest is computed over the stored payload at every read. */
export async function verdictEnvelope(rows: ReadRows, row: VerdictRow): Promise<VerdictEnvelope> {
  const verified = sha256(row.payload) === row.sha256;
  const payload = readStored(row.payload);
  const newest = await rows.verdict(row.key, null, null);
  return {
    schema: "render_handoff.verdict_object.v1",
    object_key: row.key,
    version_num: row.version,
    version_count: newest?.version ?? row.version,
    category: "join_verdict",
    producer_agent: row.producer,
    checker_uuid: row.checkerUuid,
    sha256_hash: row.sha256,
    payload_hash_mode: "payload_sha256",
    payload_sha256_verified: verified,
    payload_json_valid: payload !== undefined,
    integrity_status: verified && payload !== undefined ? "verified" : "corrupt",
    total_payload_bytes: Buffer.byteLength(row.payload, "utf8"),
    created_at: timestamp(row.createdAt),
    payload: payload ?? null,
    built_on_edges: await edgesOf(rows, row),
    gateway_id: await rows.meta("gateway_id"),
  };
}

async function edgesOf(rows: ReadRows, row: VerdictRow): Promise<VerdictEnvelope["built_on_edges"]> {
  const edges: VerdictEnvelope["built_on_edges"] = [];
  for (const edge of await rows.edges(row.key, row.version, SLOTS.length)) {
    const latest = (await rows.stamps(edge.targetKey, 1))[0]?.version ?? edge.targetVersion;
    edges.push({
      target_object_key: edge.targetKey,
      relation_kind: edge.relation,
      pinned_version_num: edge.targetVersion,
      pinned_sha256: edge.targetSha256,
      latest_target_version: latest,
      upstream_newer_version_available: latest > edge.targetVersion,
    });
  }
  return edges;
}

/** The last verdict on a job, as a page shows it. */
export interface LatestVerdict {
  readonly version: number;
  readonly verdict: "accepted" | "rejected";
  /** Codes of all findings, warnings too. */
  readonly findingCodes: readonly string[];
  readonly reportSha256: string;
  readonly checker: string;
  readonly checkerUuid: string;
  readonly createdAt: number;
  /** A slot was reopened since. */
  readonly superseded: boolean;
}

/** Null where nobody has posted a verdict on the job. */
export async function latestVerdict(rows: ReadRows, jobId: string): Promise<LatestVerdict | null> {
  const row = await rows.verdict(joinKey(jobId), null, null);
  if (row === null) return null;
  const read = narrow(Verdict, parseStored(row.payload));
  if (!read.ok) return null;
  let superseded = false;
  for (const slot of SLOTS) {
    const task = await rows.task(slotTaskId(jobId, slot));
    superseded ||= task?.version !== read.value.built_on[slot].version_num;
  }
  return {
    version: row.version,
    verdict: row.verdict,
    findingCodes: read.value.finding_codes,
    reportSha256: read.value.report_sha256,
    checker: row.producer,
    checkerUuid: row.checkerUuid,
    createdAt: row.createdAt,
    superseded,
  };
}
