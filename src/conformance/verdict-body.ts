import type { Verdict } from "../../contracts/documents/verdict.ts";
import type { Slot } from "../../contracts/flow.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { idOf, type RequestStep, type Scope } from "./scope.ts";
import { versionKey } from "./told.ts";

type PostVerdict = Extract<RequestStep, { do: "post_verdict" }>;

const NOBODY = "g_00000000-0000-4000-8000-000000000000";

/** The verdict that a step posts: pins with the digests of what was handed in, unless one is to be wrong. */
export function verdictBody(step: PostVerdict, scope: Scope, gatewayId: string): Buffer {
  const pin = (slot: Slot) => {
    const version = step.on[slot];
    const result = scope.told.results.get(versionKey(slotTaskId(idOf(scope, step.job), slot), version));
    const known = step.wrong === "digest" ? undefined : result?.sha256;
    return { version_num: version, sha256_hash: known ?? sha256("unknown") };
  };
  const verdict: Verdict = {
    schema: "render_handoff.verdict.v1",
    gateway_id: step.wrong === "gateway" ? NOBODY : gatewayId,
    job_id: idOf(scope, step.job),
    job_sha256: (step.wrong === "job" ? undefined : scope.jobs.get(step.job)) ?? sha256("unknown"),
    verdict: step.verdict,
    report_sha256: sha256(step.report),
    finding_codes: step.verdict === "rejected" ? ["PNG_TRUNCATED"] : [],
    built_on: { a: pin("a"), b: pin("b") },
    tool_version: "0.1.0",
  };
  return canonicalBytes(verdict);
}
