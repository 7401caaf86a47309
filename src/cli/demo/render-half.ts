import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BundleManifest } from "../../../contracts/documents/bundle-manifest.ts";
import type { FrameEntry } from "../../../contracts/documents/frame-entry.ts";
import type { Job } from "../../../contracts/documents/job.ts";
import type { Slot } from "../../../contracts/flow.ts";
import { detectContainments } from "../../blender/containment/detect.ts";
import { planContainment } from "../../blender/containment/plan.ts";
import type { BlenderFacts } from "../../blender/facts.ts";
import { type BlenderIdentity, identifyBlender } from "../../blender/identify.ts";
import { listOutput } from "../../blender/list-output.ts";
import { failureOf } from "../../blender/outcome.ts";
import { renderFrames } from "../../blender/render.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import type { GatewayClient } from "../../gateway-client/client.ts";
import { keepFrame, slotFrames } from "../../render-child/frames.ts";

export interface HalfWork {
  /** With the worker's token. */
  readonly client: GatewayClient;
  readonly workerUuid: string;
  readonly jobId: string;
  readonly slot: Slot;
  /** Absolute and empty. */
  readonly folder: string;
  readonly blender: string | null;
  readonly searchPath: string | undefined;
  readonly trustScenes: boolean;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Frames as a worker may hand them in, in `frames` below the folder, and what a manifest says of them. */
export interface Half {
  readonly identity: BlenderIdentity;
  readonly facts: BlenderFacts;
  readonly containment: BundleManifest["containment"];
  readonly frames: readonly FrameEntry[];
}

/** Renders a slot for real: the scene from the gateway, one Blender, the strict check, the canonical form. */
export async function renderHalf(work: HalfWork, job: Job): Promise<Half> {
  const { folder, clock, slot, signal, searchPath } = work;
  const identity = await identifyBlender({
    path: work.blender,
    cacheFolder: null,
    clock,
    ...(searchPath === undefined ? {} : { searchPath }),
  });
  const { containment } = planContainment({
    report: await detectContainments(clock),
    allowed: job.policy.allow_containment,
    trustScenes: work.trustScenes,
    jobScripts: false,
    workerScripts: false,
  });
  const [outputFolder, runFolder] = [join(folder, "output"), join(folder, "run")];
  for (const path of [outputFolder, runFolder, join(folder, "frames")]) await mkdir(path);
  await fetchScene(work, job);
  const outcome = await renderFrames({
    identity,
    containment,
    sceneFolder: join(folder, "scene"),
    main: job.scene.main,
    frames: slotFrames(job, slot),
    outputFolder,
    runFolder,
    settings: job.render,
    allowScripts: false,
    threads: work.threads,
    watchdogMs: job.limits.watchdog_seconds * 1_000,
    signal,
    marker: `render-handoff-${clock.uuid()}`,
    clock,
  });
  signal.throwIfAborted();
  const failure = failureOf(outcome);
  if (failure !== null) throw failure;
  if (outcome.facts === null) throw new HandoffError("RENDER_SETTINGS_REFUSED");
  const listed = await listOutput({
    folder: outputFolder,
    frames: slotFrames(job, slot),
    frameBytes: job.limits.frame_bytes,
  });
  const frames: FrameEntry[] = [];
  for (const one of listed) frames.push(await keepFrame(job, one, { folder: join(folder, "frames") }));
  return { identity, facts: outcome.facts, containment, frames };
}

async function fetchScene({ client, folder }: HalfWork, job: Job): Promise<void> {
  for (const file of job.scene.files) {
    const path = join(folder, "scene", file.path);
    await mkdir(dirname(path), { recursive: true });
    await client.getBlob({ sha256: file.sha256, path, maxBytes: file.bytes, bytes: file.bytes });
  }
}
