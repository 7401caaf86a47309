import { z } from "zod";
import { BIT_DEPTHS, COLOR_MODES, ENGINES } from "../frame-names.ts";
import { Count, FrameNumber, JobId, Positive, Sha256 } from "../names.ts";
import { Policy } from "./policy.ts";

/** `3.4.1`: what `blender --version` prints after the name. */
export const BlenderVersion = z.string().regex(/^\d{1,3}\.\d{1,3}(\.\d{1,3})?$/);
export const Platform = z.string().regex(/^(linux|darwin|win32)-(x64|arm64)$/);
export const Engine = z.enum(ENGINES);
export const DeviceClass = z.enum(["CPU", "CUDA", "OPTIX", "HIP", "ONEAPI", "METAL"]);

/** Relative, normalised, `/` between parts; parts never `.` or `..`, no control characters, no backslash. */
export const ScenePath = z
  .string()
  .max(400)
  .regex(/^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!.*\/\/)(?!.*\/$)[^\p{Cc}\\:]+$/u);

export const SceneFile = z.strictObject({ path: ScenePath, sha256: Sha256, bytes: Count });

/** Of the further settings the one that is none of Blender's: render although files of the scene are missing. */
export const ALLOW_MISSING = "scene.allow_missing";

/** Settings that a job may set beyond the named ones; the enforcing script knows exactly these paths. */
export const EXTRA_SETTINGS = [
  ALLOW_MISSING,
  "cycles.max_bounces",
  "cycles.use_adaptive_sampling",
  "cycles.use_denoising",
  "render.film_transparent",
  "render.use_motion_blur",
] as const;

export const Output = z.strictObject({
  format: z.literal("PNG"),
  color_mode: z.enum(COLOR_MODES),
  bit_depth: z.union([z.literal(BIT_DEPTHS[0]), z.literal(BIT_DEPTHS[1])]),
});
export type Output = z.infer<typeof Output>;

export const RenderSettings = z.strictObject({
  engine: Engine,
  device: DeviceClass,
  width: z.int().min(1).max(16_384),
  height: z.int().min(1).max(16_384),
  output: Output,
  samples: z.int().min(1).max(1_000_000),
  seed: z.int().min(0).max(2_147_483_647),
  allow_scripts: z.boolean(),
  extra: z
    .array(z.strictObject({ path: z.enum(EXTRA_SETTINGS), value: z.union([z.int(), z.boolean()]) }))
    .max(16),
});
export type RenderSettings = z.infer<typeof RenderSettings>;

/** Whether whoever submitted the job said that missing files are no reason to refuse it. */
export const allowsMissing = ({ extra }: Pick<RenderSettings, "extra">): boolean =>
  extra.some((setting) => setting.path === ALLOW_MISSING && setting.value === true);

export const Limits = z.strictObject({
  watchdog_seconds: z.int().min(1).max(86_400),
  run_seconds: z.int().min(1).max(172_800),
  slot_seconds: z.int().min(1).max(604_800),
  lease_seconds: z.int().min(2).max(3_600),
  max_claims: z.int().min(1).max(1_000),
  bundle_bytes: z.int().min(1).max(4_294_967_294),
  frame_bytes: Positive,
  scene_bytes: Positive,
});
export type Limits = z.infer<typeof Limits>;

/** What `submit` writes when nothing else is asked for. */
export const STANDARD_LIMITS: Limits = {
  watchdog_seconds: 180,
  run_seconds: 900,
  slot_seconds: 1_800,
  lease_seconds: 60,
  max_claims: 8,
  bundle_bytes: 4_294_967_294,
  frame_bytes: 536_870_912,
  scene_bytes: 4_294_967_296,
};

const range = { first: FrameNumber, last: FrameNumber };

export const Job = z.strictObject({
  schema: z.literal("render_handoff.job.v1"),
  job_id: JobId,
  scene: z.strictObject({
    main: ScenePath.describe("the .blend; must be one of files: CLAIM_JOB_INVALID"),
    files: z
      .array(SceneFile)
      .min(1)
      .max(10_000)
      .describe("no two paths equal but for case: CLAIM_JOB_INVALID"),
  }),
  blender: z.strictObject({
    version: BlenderVersion,
    executables: z
      .array(z.strictObject({ platform: Platform, sha256: Sha256 }))
      .min(1)
      .max(64),
  }),
  render: RenderSettings,
  slots: z
    .tuple([
      z.strictObject({ id: z.literal("a"), ...range }),
      z.strictObject({ id: z.literal("b"), ...range }),
    ])
    .describe("a then b, contiguous, first not above last: CLAIM_JOB_INVALID"),
  sequence: z.strictObject({ id: JobId, index: Count, count: Positive }).nullable(),
  policy: Policy,
  limits: Limits,
});
export type Job = z.infer<typeof Job>;

export { brokenJobRules } from "../job-rules.ts";
