import { z } from "zod";
import { GatewayId, Sha256 } from "../names.ts";
import { CONTAINMENTS, STANDARD_POLICY as STANDARD } from "../standard-policy.ts";

export { CONTAINMENTS };
export const Containment = z.enum(CONTAINMENTS);
export type Containment = z.infer<typeof Containment>;

export const Policy = z.strictObject({
  schema: z.literal("render_handoff.policy.v1"),
  distinct: z
    .enum(["worker", "operator"])
    .describe("what must differ between the slots: JOIN_WORKER_NOT_DISTINCT"),
  distinct_at_claim: z
    .boolean()
    .describe("whether the gateway refuses the second slot to one worker: worker_not_distinct"),
  strict_content: z.boolean().describe("whether content warnings reject"),
  allow_containment: z.array(Containment).min(1).max(3).describe("JOIN_CONTAINMENT_REFUSED"),
  mixed_platforms: z
    .boolean()
    .describe("whether the slots may come from different platforms: JOIN_PLATFORM_MISMATCH"),
  expect_job: Sha256.nullable().describe("anchor: JOIN_JOB_NOT_EXPECTED"),
  expect_gateway: GatewayId.nullable().describe("anchor: JOIN_GATEWAY_NOT_EXPECTED"),
});
export type Policy = z.infer<typeof Policy>;

/** Kept apart from the schema library, which a verdict can do without. */
export const STANDARD_POLICY: Policy = STANDARD;
