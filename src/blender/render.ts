import { readdir } from "node:fs/promises";
import type { KeptKeyword } from "../../contracts/documents/frame-metadata.ts";
import { allowsMissing, type RenderSettings } from "../../contracts/documents/job.ts";
import type { Containment } from "../../contracts/documents/policy.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { renderArguments } from "./args.ts";
import type { BlenderIdentity } from "./identify.ts";
import { judge } from "./judge.ts";
import { launchBlender } from "./launch.ts";
import type { RenderOutcome } from "./outcome.ts";
import { NO_PROGRESS, progressAfter, type RenderProgress } from "./process/progress.ts";
import { rulesOf } from "./versions/known.ts";

export interface RenderOptions {
  readonly identity: BlenderIdentity;
  readonly containment: Containment;
  /** Absolute; read-only to Blender under bwrap. */
  readonly sceneFolder: string;
  /** Path of the .blend below sceneFolder. */
  readonly main: string;
  readonly frames: readonly number[];
  /** Absolute, empty, for this attempt alone. */
  readonly outputFolder: string;
  /** Absolute; `home`, `tmp` and `facts` are made in it. Remove it when the run is over. */
  readonly runFolder: string;
  readonly settings: RenderSettings;
  /** As planContainment says; only under bwrap. */
  readonly allowScripts: boolean;
  readonly threads: number;
  /** Text to write into the frames beside their number; the canonical form drops it. */
  readonly stamps?: readonly KeptKeyword[];
  /** Milliseconds of the run's watchdog that are left. */
  readonly watchdogMs: number;
  /** Kills Blender; its reason is a code (RENDER_RUN_DEADLINE, LEASE_LOST …) or a HandoffError. */
  readonly signal: AbortSignal;
  /** Unique to this attempt; leftovers are found by it (sweepLeftovers). */
  readonly marker: string;
  readonly clock: Clock;
  readonly onProgress?: (progress: RenderProgress) => void;
  /** Called with the process id as soon as there is one. */
  readonly onStarted?: (pid: number) => void;
}

/**
 * Renders frames with one Blender process and returns when nothing of it lives any more (or `proof` is
 * "alive"). Never throws for what Blender does; throws RENDER_SCRIPTS_REFUSED, RENDER_SERIES_UNKNOWN and
 * RENDER_FRAME_UNEXPECTED (output folder not empty) for calls that may not be made.
 */
export async function renderFrames(options: RenderOptions): Promise<RenderOutcome> {
  const rules = rulesOf(options.identity.version);
  if (rules === undefined) throw new HandoffError("RENDER_SERIES_UNKNOWN");
  if (options.allowScripts && options.containment !== "bwrap")
    throw new HandoffError("RENDER_SCRIPTS_REFUSED", "Only inside bubblewrap.");
  if ((await readdir(options.outputFolder)).length > 0)
    throw new HandoffError("RENDER_FRAME_UNEXPECTED", "The output folder is not empty.");
  let progress = NO_PROGRESS;
  const run = await launchBlender({
    ...options,
    device: options.settings.device,
    arguments: (seen) => renderArguments({ ...options, rules }, seen),
    onLine: (line) => {
      const next = progressAfter(progress, line);
      if (next !== progress) options.onProgress?.(next);
      progress = next;
    },
  });
  // the library that is missing is named in the log as well
  return judge(run, new Set(allowsMissing(options.settings) ? ["RENDER_SCENE_INCOMPLETE"] : []));
}
