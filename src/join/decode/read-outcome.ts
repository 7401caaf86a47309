import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Slot } from "../../../contracts/flow.ts";
import { frameName } from "../../../contracts/frame-names.ts";
import { sha256 } from "../../core/digest.ts";
import type { Fault } from "../../core/fault.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import type { FrameFacts } from "../../frame/spec.ts";
import type { Look } from "../content/look.ts";
import { KIND, readKind } from "../documents.ts";
import type { BundleFacts, Read } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";
import type { DecodeAnswer } from "./messages.ts";
import type { Outcome } from "./pool.ts";
import type { BundleOutcome } from "./run-plan.ts";
import { UNDONE } from "./undone.ts";

/** Makes facts and findings of how decoding a slot's bundle ended: of its manifest while its frames are decoded. */
export async function readOutcome(slot: Slot, outcome: BundleOutcome): Promise<Read<BundleFacts | null>> {
  const name = slotPath(slot, "bundle.zip");
  const place = { slot, frame: null, path: name };
  const { bundle } = outcome;
  if (bundle.ended !== "answered" || bundle.answer.kind !== "bundle")
    return { value: null, findings: [undone(bundle, place)] };
  const { answer } = bundle;
  const findings = answer.faults.map((one) => asFinding(one, place));
  const manifest = answer.manifest === null ? null : await narrowManifest(slot, answer.manifest, findings);
  const frames = new Map<number, FrameFacts>();
  const looks = new Map<number, Look>();
  for (const [frame, decoded] of await outcome.frames) {
    const where = { slot, frame, path: `${name}#${frameName(frame)}` };
    if (decoded.ended !== "answered" || decoded.answer.kind !== "frame")
      findings.push(undone(decoded, where));
    else {
      findings.push(...decoded.answer.faults.map((one) => asFinding(one, where)));
      const { facts, look } = decoded.answer;
      if (facts !== null) frames.set(frame, facts);
      if (look !== undefined) looks.set(frame, look);
    }
  }
  return { value: { sha256: answer.sha256, bytes: answer.bytes, manifest, frames, looks }, findings };
}

interface Where {
  readonly slot: Slot;
  readonly frame: number | null;
  readonly path: string;
}

const asFinding = (fault: Fault, { slot, frame, path }: Where): Finding => {
  const join = path.includes("#") ? "/" : "#";
  const { expected, actual } = fault;
  return finding(fault.code, { slot, frame, path: `${path}${join}${fault.where}`, expected, actual });
};

/** No verdict about the bytes: the machine's fault, so never a rejection. */
function undone(outcome: Outcome<DecodeAnswer>, place: Where): Finding {
  if (outcome.ended !== "answered")
    return finding(UNDONE[outcome.ended], { ...place, actual: outcome.detail });
  if (outcome.answer.kind !== "unreadable") return finding("JOIN_DECODE_CRASHED", place);
  return finding("JOIN_EVIDENCE_MISSING", { ...place, actual: outcome.answer.detail });
}

async function narrowManifest(
  slot: Slot,
  bytes: Uint8Array,
  findings: Finding[],
): Promise<BundleFacts["manifest"]> {
  const path = slotPath(slot, "bundle.zip#manifest.json");
  const read = await readKind(KIND.bundleManifest, bytes);
  if (!read.ok) {
    findings.push(
      finding("JOIN_MANIFEST_INVALID", { slot, path: `${path}${read.path}`, actual: read.problem }),
    );
    return null;
  }
  if (!canonicalBytes(read.value).equals(bytes))
    findings.push(finding("JOIN_MANIFEST_INVALID", { slot, path, expected: "the canonical form" }));
  return { value: read.value, sha256: sha256(bytes) };
}
