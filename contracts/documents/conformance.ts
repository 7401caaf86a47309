import { z } from "zod";
import { CheckerUuid, Count, GatewayId, Positive, TaskId, WorkerUuid } from "../names.ts";
import { ModuleName, ModulePin, ModuleVersion, RuleId } from "./contract-module.ts";

/** What a run plays: modules pinned by version and manifest hash, and how much memory it may take. */
export const ConformanceConfiguration = z.strictObject({
  schema: z.literal("render_handoff.conformance_configuration.v1"),
  modules: z.array(ModulePin).min(1).max(1_000),
  memory_bytes: Positive.describe("cap of the player's own resident memory"),
});
export type ConformanceConfiguration = z.infer<typeof ConformanceConfiguration>;

export const RuleVerdict = z.strictObject({
  module: ModuleName,
  module_version: ModuleVersion,
  rule: RuleId,
  statement: z.string(),
  verdict: z.enum(["passed", "failed", "not_applicable"]),
  cases: Count,
  detail: z.string().nullable().describe("the first step that came out otherwise, or why it was not played"),
});
export type RuleVerdict = z.infer<typeof RuleVerdict>;

export const ConformanceReport = z.strictObject({
  schema: z.literal("render_handoff.conformance_report.v1"),
  verdict: z.enum(["passed", "failed"]),
  gateway_id: GatewayId.nullable(),
  embedded: z.boolean(),
  configuration: ConformanceConfiguration,
  rules: z.array(RuleVerdict),
  not_revoked: z
    .array(z.union([WorkerUuid, CheckerUuid]))
    .describe("workers and checkers of the run whose tokens may still be good"),
  not_read: z
    .array(z.string())
    .describe("names of those whose registration was answered so that no id could be read, or not at all"),
  not_closed: z.array(TaskId).describe("tasks of the run that may still be claimed on a gateway of others"),
  duration_ms: Count,
  peak_rss_bytes: Count,
  tool_version: z.string(),
});
export type ConformanceReport = z.infer<typeof ConformanceReport>;
