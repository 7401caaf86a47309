import { join } from "node:path";
import {
  ALLOW_MISSING,
  brokenJobRules,
  Job,
  type Limits,
  type RenderSettings,
  STANDARD_LIMITS,
} from "../../contracts/documents/job.ts";
import { CONTAINMENTS, type Policy, STANDARD_POLICY } from "../../contracts/documents/policy.ts";
import { framesOf } from "../../contracts/names.ts";
import type { OpenSettings, Preflight } from "../blender/args.ts";
import { detectContainments } from "../blender/containment/detect.ts";
import { planContainment } from "../blender/containment/plan.ts";
import { type BlenderIdentity, identifyBlender } from "../blender/identify.ts";
import { type InspectedScene, inspectScene } from "../blender/inspect-scene.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { narrow } from "../core/json/read-document.ts";
import type { GatewayClient } from "../gateway-client/client.ts";
import { nameJob } from "./name-job.ts";
import { digestFiles, findScene, type SceneRoot } from "./scene-files.ts";
import { type FrameRange, splitRange } from "./split-range.ts";

export interface SubmitOptions {
  /** An administrator's. */
  readonly client: GatewayClient;
  /** Path of the .blend. */
  readonly scene: string;
  /** Folder that everything of the scene lies below; null: the scene's own. */
  readonly sceneRoot: string | null;
  readonly frames: FrameRange;
  /** Null: made of the scene's name. */
  readonly jobId: string | null;
  /** The Blender to pin; null: found on the system's path. */
  readonly blender: string | null;
  /** Where Blender's version is remembered; null for nowhere. */
  readonly versionsFolder: string | null;
  /** Absolute, there already, for this call alone; the caller removes it. */
  readonly workFolder: string;
  /** Null where the scene's own value is meant. */
  readonly settings: {
    readonly engine: RenderSettings["engine"] | null;
    readonly size: { readonly width: number; readonly height: number } | null;
    readonly samples: number | null;
    readonly seed: number | null;
    readonly device: RenderSettings["device"];
    readonly output: RenderSettings["output"];
    readonly allowScripts: boolean;
    readonly extra: RenderSettings["extra"];
  };
  /** Null: STANDARD_POLICY. */
  readonly policy: Policy | null;
  /** What differs from STANDARD_LIMITS. */
  readonly limits: Partial<Limits>;
  readonly allowMissing: boolean;
  readonly trustScenes: boolean;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called before each file that is uploaded. */
  readonly onUpload?: (file: { path: string; bytes: number }) => void;
}

export interface SubmittedScene {
  readonly job: Job;
  /** The checker's anchor. */
  readonly jobSha256: string;
  /** False when the gateway had exactly this job already. */
  readonly created: boolean;
}

const INSPECT_MS = 120_000;

/**
 * From a .blend to a job: makes the check that a worker's Blender makes before its first frame with the Blender
 * that it pins, refuses early what no worker could render (every reason in the details), uploads the files, writes every value out and puts the job. The same again changes nothing.
 * Throws USAGE_FRAMES, USAGE_SCENE_UNREADABLE, USAGE_ARGUMENT, RENDER_ codes, or what the client throws.
 */
export async function submitScene(options: SubmitOptions): Promise<SubmittedScene> {
  const slots = splitRange(options.frames);
  const jobId = nameJob(options.jobId, options.scene, options.clock);
  const scene = await findScene(options.scene, options.sceneRoot);
  const identity = await identifyBlender({
    path: options.blender,
    cacheFolder: options.versionsFolder,
    clock: options.clock,
  });
  const settings = openSettings(options);
  const inspected = await inspect(options, {
    scene,
    identity,
    preflight: { settings, frames: framesOfSlots(slots) },
  });
  const files = await digestFiles(scene.root, [scene.main, ...inspected.facts.files]);
  const job = soundJob({
    schema: "render_handoff.job.v1",
    job_id: jobId,
    scene: { main: scene.main, files },
    blender: {
      version: identity.version,
      executables: [{ platform: identity.platform, sha256: identity.sha256 }],
    },
    render: closedSettings(settings, inspected),
    slots,
    sequence: null,
    policy: options.policy ?? STANDARD_POLICY,
    limits: { ...STANDARD_LIMITS, ...options.limits },
  });
  await upload(options, scene, job);
  const { value } = await options.client.putJob(canonicalBytes(job));
  return { job, jobSha256: value.job_sha256, created: value.created };
}

async function inspect(
  options: SubmitOptions,
  work: { scene: SceneRoot; identity: BlenderIdentity; preflight: Preflight },
): Promise<InspectedScene> {
  const { scene, identity, preflight } = work;
  const { containment } = planContainment({
    report: await detectContainments(options.clock),
    allowed: CONTAINMENTS,
    trustScenes: options.trustScenes,
    jobScripts: false,
    workerScripts: false,
  });
  return inspectScene({
    identity,
    containment,
    sceneFolder: scene.root,
    main: scene.main,
    preflight,
    runFolder: options.workFolder,
    watchdogMs: INSPECT_MS,
    signal: options.signal,
    marker: `rh-submit-${options.clock.uuid()}`,
    clock: options.clock,
  });
}

const framesOfSlots = (slots: Job["slots"]): number[] => slots.flatMap(framesOf);

/** What is asked for, as a job says it; that files may be missing is part of it. */
function openSettings({ settings, allowMissing }: SubmitOptions): OpenSettings {
  const { engine, size, samples, device, output, allowScripts, extra } = settings;
  return {
    engine,
    device,
    width: size?.width ?? null,
    height: size?.height ?? null,
    output,
    samples,
    seed: settings.seed,
    allow_scripts: allowScripts,
    extra: allowMissing ? [...extra, { path: ALLOW_MISSING, value: true }] : extra,
  };
}

/** Every value written out: what was left open is the scene's own. */
const closedSettings = (open: OpenSettings, { facts, engine }: InspectedScene): RenderSettings => ({
  ...open,
  engine: open.engine ?? engine ?? "CYCLES",
  width: open.width ?? facts.width,
  height: open.height ?? facts.height,
  samples: open.samples ?? Math.max(1, facts.samples),
  seed: open.seed ?? Math.max(0, facts.seed),
});

/** The job by its own schema and rules, as gateway and workers will read it. */
function soundJob(job: Job): Job {
  const read = narrow(Job, job);
  if (!read.ok) throw new HandoffError("CLAIM_JOB_INVALID", `${read.path}: ${read.problem}`);
  const broken = brokenJobRules(read.value);
  if (broken.length > 0) throw new HandoffError("CLAIM_JOB_INVALID", `${broken[0]}.`, { details: broken });
  return read.value;
}

/** Files that the gateway has already are not sent again. */
async function upload(options: SubmitOptions, scene: SceneRoot, job: Job): Promise<void> {
  const sent = new Set<string>();
  for (const file of job.scene.files) {
    if (sent.has(file.sha256)) continue;
    sent.add(file.sha256);
    const there = await options.client.headBlob(file.sha256);
    if (there.value?.bytes === file.bytes) continue;
    options.onUpload?.({ path: file.path, bytes: file.bytes });
    await options.client.putBlob({
      path: join(scene.root, file.path),
      sha256: file.sha256,
      bytes: file.bytes,
      lease: null,
    });
  }
}
