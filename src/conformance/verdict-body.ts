import type { Verdict } from "../../contracts/documents/verdict.ts";
import type { Slot } from "../../contracts/flow.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { memberOf } from "./judge.ts";
import type { Player } from "./player.ts";
import { idOf, type RequestStep, type Scope } from "./scope.ts";

type PostVerdict = Extract<RequestStep, { do: "post_verdict" }>;

const NOBODY = "g_00000000-0000-4000-8000-000000000000";

/** The verdict that a step posts: pins with the digests that the gateway itself tells, unless one is to be wrong. */
export async function verdictBody(
  step: PostVerdict,
  scope: Scope,
  { session, gatewayId }: Pick<Player, "session" | "gatewayId">,
): Promise<Buffer> {
  const pin = async (slot: Slot) => {
    const version = step.on[slot];
    const answer = await session.send({
      method: "GET",
      path: `/q/object/${slotTaskId(idOf(scope, step.job), slot)}?version=${version}`,
      headers: {},
      body: null,
      by: "administrator",
    });
    const digest = memberOf(answer, "sha256_hash");
    const known = step.wrong !== "digest" && typeof digest === "string";
    return { version_num: version, sha256_hash: known ? digest : sha256("unknown") };
  };
  const verdict: Verdict = {
    schema: "render_handoff.verdict.v1",
    gateway_id: step.wrong === "gateway" ? NOBODY : gatewayId,
    job_id: idOf(scope, step.job),
    job_sha256: (step.wrong === "job" ? undefined : scope.jobs.get(step.job)) ?? sha256("unknown"),
    verdict: step.verdict,
    report_sha256: sha256(step.report),
    finding_codes: step.verdict === "rejected" ? ["PNG_TRUNCATED"] : [],
    built_on: { a: await pin("a"), b: await pin("b") },
    tool_version: "0.1.0",
  };
  return canonicalBytes(verdict);
}
