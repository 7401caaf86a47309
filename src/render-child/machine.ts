import { existsSync } from "node:fs";
import { readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { COLOR_TYPE } from "../../contracts/documents/frame-entry.ts";
import type { Job } from "../../contracts/documents/job.ts";
import type { Slot } from "../../contracts/flow.ts";
import { type ContainmentReport, detectContainments } from "../blender/containment/detect.ts";
import { type ContainmentPlan, planContainment } from "../blender/containment/plan.ts";
import { type BlenderIdentity, identifyBlender } from "../blender/identify.ts";
import { rulesOf } from "../blender/versions/known.ts";
import { HandoffError } from "../core/error.ts";
import type { ChildOptions } from "./options.ts";

/** What this machine offers, found out once a run and only when a job asks. */
export interface Machine {
  readonly identity: BlenderIdentity;
  readonly containments: ContainmentReport;
  /** Time that finding it out took: a Blender may have been alive in it. */
  readonly spentMs: number;
}

export async function lookAtMachine(options: ChildOptions): Promise<Machine> {
  // both are awaited whatever becomes of one: each starts processes
  const [identified, containments] = await Promise.allSettled([
    identify(options),
    detectContainments(options.clock),
  ]);
  if (identified.status === "rejected") throw identified.reason;
  if (containments.status === "rejected") throw containments.reason;
  return { ...identified.value, containments: containments.value };
}

async function identify(options: ChildOptions): Promise<Pick<Machine, "identity" | "spentMs">> {
  const { clock, blender } = options;
  const cacheFolder = join(options.stateFolder, "versions");
  const known = new Set(await readdir(cacheFolder).catch(() => []));
  const started = clock.monotonicMs();
  const identity = await identifyBlender({ path: blender, cacheFolder, clock });
  // a remembered version starts no Blender
  const spentMs = known.has(`${identity.sha256}.json`) ? 0 : clock.monotonicMs() - started;
  return { identity, spentMs };
}

/** Whether this machine may and can render the job; throws the code of the first thing that is amiss. */
export async function checkMachine(
  options: ChildOptions,
  machine: Machine,
  job: Job,
): Promise<ContainmentPlan> {
  checkPin(machine.identity, job);
  if (rulesOf(machine.identity.version)?.engines[job.render.engine] === undefined)
    throw new HandoffError("RENDER_ENGINE_UNSUPPORTED", job.render.engine);
  checkDevice(job);
  const plan = planContainment({
    report: machine.containments,
    allowed: job.policy.allow_containment,
    trustScenes: options.trustScenes,
    jobScripts: job.render.allow_scripts,
    workerScripts: options.allowScripts,
  });
  await checkDisk(options, job);
  return plan;
}

function checkPin(identity: BlenderIdentity, job: Job): void {
  const { version, executables } = job.blender;
  const pinned = executables.some(
    (one) => one.platform === identity.platform && one.sha256 === identity.sha256,
  );
  if (pinned && version === identity.version) return;
  throw new HandoffError("RENDER_BLENDER_PIN", undefined, {
    details: [
      `here: ${identity.version} ${identity.platform} ${identity.sha256} (${identity.path})`,
      ...executables.map((one) => `allowed: ${version} ${one.platform} ${one.sha256}`),
    ],
  });
}

const DEVICE_NODES: Partial<Record<Job["render"]["device"], string>> = {
  CUDA: "/dev/nvidiactl",
  OPTIX: "/dev/nvidiactl",
  HIP: "/dev/kfd",
  ONEAPI: "/dev/dri",
};

/** A first look; Blender itself is asked inside the render process before the first frame. */
function checkDevice(job: Job): void {
  const node = process.platform === "linux" ? DEVICE_NODES[job.render.device] : undefined;
  const missing = node !== undefined && !existsSync(node);
  if (missing || (job.render.device === "METAL" && process.platform !== "darwin"))
    throw new HandoffError("RENDER_DEVICE_MISSING", job.render.device);
}

/** Room for the scene twice (cache and run) and the slot's frames three times, uncompressed. */
async function checkDisk(options: ChildOptions, job: Job): Promise<void> {
  const scene = job.scene.files.reduce((sum, file) => sum + file.bytes, 0);
  const need = scene * 2 + frameBytes(job) * framesIn(job, options.slot) * 3;
  const { bavail, bsize } = await statfs(options.stateFolder);
  if (bavail * bsize < need)
    throw new HandoffError("CLAIM_DISK_SPACE", `${need} bytes are needed, ${bavail * bsize} are free.`);
}

function frameBytes(job: Job): number {
  const { width, height, output } = job.render;
  const channels = { 0: 1, 2: 3, 6: 4 }[COLOR_TYPE[output.color_mode]];
  return Math.min(job.limits.frame_bytes, width * height * channels * (output.bit_depth / 8) + 65_536);
}

const framesIn = (job: Job, slot: Slot): number =>
  job.slots.filter((one) => one.id === slot).reduce((sum, one) => sum + one.last - one.first + 1, 0);
