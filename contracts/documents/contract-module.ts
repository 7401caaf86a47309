import { z } from "zod";
import { Sha256 } from "../names.ts";
import { plainRecord } from "../plain-record.ts";

export const ModuleName = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
export const ModuleVersion = z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/);
export const RuleId = z.string().regex(/^[A-Z]+-\d{2}$/);
const Sentence = z.string().min(1).max(500);

export const ContractRule = z.strictObject({
  id: RuleId,
  statement: Sentence,
  subject: z
    .enum(["gateway", "child", "module"])
    .describe("what is played: a gateway over HTTP, render-child, or the module's own files"),
  needs: z
    .array(z.enum(["http", "clock", "process"]))
    .describe("clock: real seconds pass; process: the player must be able to kill and restart the subject"),
});
export type ContractRule = z.infer<typeof ContractRule>;

/** `module.json`: what a module asks for, and by which words it is found. Code inside a module is never run. */
export const ContractModule = z.strictObject({
  schema: z.literal("render_handoff.contract_module.v1"),
  name: ModuleName,
  version: ModuleVersion,
  summary: Sentence,
  rules: z.array(ContractRule).min(1).max(100),
  hints: z.array(Sentence).describe("phrases under which the module is found, in their exact words"),
  aliases: z.array(Sentence).describe("other names of the same thing"),
});
export type ContractModule = z.infer<typeof ContractModule>;

/** `MANIFEST.json`: every other file of the module with its SHA-256. */
export const ContractManifest = z.strictObject({
  schema: z.literal("render_handoff.contract_manifest.v1"),
  name: ModuleName,
  version: ModuleVersion,
  files: plainRecord(z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/), Sha256)),
});
export type ContractManifest = z.infer<typeof ContractManifest>;

/** A module that is pinned by version and by the SHA-256 of its MANIFEST.json. */
export const ModulePin = z.strictObject({
  name: ModuleName,
  version: ModuleVersion,
  manifest_sha256: Sha256,
});
export type ModulePin = z.infer<typeof ModulePin>;

/** `contracts/registry.json`. */
export const ContractRegistry = z.strictObject({
  schema: z.literal("render_handoff.contract_registry.v1"),
  modules: z.array(ModulePin).min(1).max(1_000),
});
export type ContractRegistry = z.infer<typeof ContractRegistry>;
