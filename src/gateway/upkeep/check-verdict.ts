import { Verdict } from "../../../contracts/documents/verdict.ts";
import { SLOTS } from "../../../contracts/flow.ts";
import { joinKey, slotTaskId } from "../../../contracts/names.ts";
import { sha256 } from "../../core/digest.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { readDocument } from "../../core/json/read-document.ts";
import type { EdgeRow, VerdictRow } from "../queue/rows.ts";
import type { ReadRows } from "../queue/store.ts";
import type { Findings } from "./findings.ts";

/**
 * A verdict's digest, what it says against its row, job and gateway, its edges against its pins, and that what
 * it is pinned to is there with the pinned digests.
 */
export async function checkVerdict(rows: ReadRows, row: VerdictRow, findings: Findings): Promise<void> {
  const where = `object ${row.key} version ${row.version}`;
  const payload = Buffer.from(row.payload, "utf8");
  findings.same("CHECK_OBJECT_SHA256", where, { expected: row.sha256, actual: sha256(payload) });
  const read = readDocument(Verdict, payload);
  if (!read.ok || !canonicalBytes(read.value).equals(payload)) {
    findings.add("CHECK_VERDICT", where, { actual: read.ok ? "not canonical" : read.problem });
    return;
  }
  const verdict = read.value;
  const job = await rows.job(verdict.job_id);
  findings.same("CHECK_VERDICT", where, {
    expected: `${row.key} ${row.verdict} ${job?.sha256 ?? "no job"} ${await rows.meta("gateway_id")}`,
    actual: `${joinKey(verdict.job_id)} ${verdict.verdict} ${verdict.job_sha256} ${verdict.gateway_id}`,
  });
  const expected: string[] = [];
  for (const slot of SLOTS) {
    const pin = verdict.built_on[slot];
    const target = slotTaskId(verdict.job_id, slot);
    const actual = await rows.objectDigest(target, pin.version_num);
    findings.same("CHECK_EDGE", `${where}: slot ${slot}`, { expected: pin.sha256_hash, actual });
    expected.push(`${target} ${pin.version_num} ${pin.sha256_hash}`);
  }
  const edges = await rows.edges(row.key, row.version, SLOTS.length + 1);
  findings.same("CHECK_EDGE", `${where}: edges`, {
    expected: expected.sort().join(", "),
    actual: edges.map(targetOf).sort().join(", "),
  });
}

const targetOf = (edge: EdgeRow): string => `${edge.targetKey} ${edge.targetVersion} ${edge.targetSha256}`;
