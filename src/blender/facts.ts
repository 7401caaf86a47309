import { z } from "zod";
import type { ErrorCode } from "../../contracts/catalogue.ts";
import { BlenderVersion, DeviceClass } from "../../contracts/documents/job.ts";
import { plainRecord } from "../../contracts/plain-record.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { readDocument } from "../core/json/read-document.ts";

/** Codes that the enforcing script may refuse a scene with. */
export const REFUSAL_CODES = [
  "RENDER_SCENE_INVALID",
  "RENDER_SCENE_ESCAPES",
  "RENDER_SCENE_INCOMPLETE",
  "RENDER_SCRIPTS_REFUSED",
  "RENDER_SCENE_WRITES_FILES",
  "RENDER_ENGINE_UNSUPPORTED",
  "RENDER_SETTINGS_REFUSED",
  "RENDER_DEVICE_MISSING",
  "RENDER_DENOISER_MISSING",
] as const satisfies readonly ErrorCode[];

const text = z.string().max(2_000);
const texts = z.array(text).max(10_000);
const count = z.int().min(0);

export const SceneFacts = z.strictObject({
  engine: text,
  frame_start: z.int(),
  frame_end: z.int(),
  fps: z.number(),
  width: count,
  height: count,
  file_format: text,
  color_mode: text,
  color_depth: text,
  film_transparent: z.boolean(),
  samples: count,
  seed: z.int(),
  device: text,
  denoise: z.boolean(),
  denoise_nodes: texts.describe("compositor nodes that denoise"),
  file_outputs: texts.describe("compositor nodes that write files"),
  camera: text.nullable(),
  multiview: z.boolean(),
  border: z.boolean(),
  saved_by: text.describe("version of Blender that saved the file"),
  scripts: texts.describe("drivers and texts that need permission to run"),
  files: texts.describe("files that must travel with the scene, relative to its folder"),
  missing: texts.describe("what uses it and the path as stored"),
  escaping: texts.describe("absolute paths, and paths that lead outside the scene's folder"),
});
export type SceneFacts = z.infer<typeof SceneFacts>;

/** What enforce.py writes before the first frame: a claim of the process that rendered, not a proof. */
export const BlenderFacts = z.strictObject({
  schema: z.literal("render_handoff.blender_facts.v1"),
  version: BlenderVersion,
  build_hash: text,
  device: z.strictObject({ class: DeviceClass, name: z.string().min(1).max(200) }),
  settings: plainRecord(z.record(text, z.union([text, z.number(), z.boolean(), z.null()]))).nullable(),
  refusals: z.array(z.strictObject({ code: z.enum(REFUSAL_CODES), items: texts })).max(20),
  scene: SceneFacts,
});
export type BlenderFacts = z.infer<typeof BlenderFacts>;

const FACTS_BYTES = 8 * 1024 * 1024;

/** Reads the facts file of a run; null when it was not written or is not what enforce.py writes. */
export async function readFacts(folder: string): Promise<BlenderFacts | null> {
  const read = await readCapped(`${folder}/facts.json`, FACTS_BYTES);
  if (!read.ok) return null;
  const document = readDocument(BlenderFacts, read.bytes, { bytes: FACTS_BYTES });
  return document.ok ? { ...document.value, build_hash: buildHash(document.value.build_hash) } : null;
}

/** Official builds name a commit; Debian's says "Unknown". */
const buildHash = (text: string): string =>
  /^[0-9a-f]{6,40}$/.test(text.toLowerCase()) ? text.toLowerCase() : "unknown";
