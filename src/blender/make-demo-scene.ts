import { access, mkdir } from "node:fs/promises";
import type { Containment } from "../../contracts/documents/policy.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { scriptArguments } from "./args.ts";
import type { BlenderIdentity } from "./identify.ts";
import { launchBlender } from "./launch.ts";

export interface DemoSceneOptions {
  readonly identity: BlenderIdentity;
  readonly containment: Containment;
  /** Absolute, there already: the .blend and its texture are written into it. */
  readonly folder: string;
  /** `scene.blend` when not given. */
  readonly name?: string;
  readonly width?: number;
  readonly height?: number;
  readonly samples?: number;
  /** Name of a PNG that is written beside the scene and used by its ground; null for none. */
  readonly texture?: string | null;
  /** Absolute, for this call alone; the caller removes it. */
  readonly runFolder: string;
  readonly signal: AbortSignal;
  readonly marker: string;
  readonly clock: Clock;
}

const WATCHDOG_MS = 120_000;

/**
 * Writes a small animated scene (frames 1-250, Cycles on the CPU, denoiser off, 640 x 360, 8 samples) with
 * Blender itself and returns the .blend's name. Its content is the same every time, its bytes are not: Blender
 * saves addresses. Throws RENDER_BLENDER_FAILED, or the code of the signal.
 */
export async function makeDemoScene(options: DemoSceneOptions): Promise<string> {
  const name = options.name ?? "scene.blend";
  const sceneFolder = `${options.runFolder}/nothing`;
  await mkdir(sceneFolder, { recursive: true });
  const run = await launchBlender({
    ...options,
    sceneFolder,
    outputFolder: options.folder,
    device: "CPU",
    watchdogMs: WATCHDOG_MS,
    arguments: (seen) =>
      scriptArguments(
        "demo_scene.py",
        {
          folder: seen.output,
          name,
          width: options.width ?? 640,
          height: options.height ?? 360,
          samples: options.samples ?? 8,
          texture: options.texture ?? null,
        },
        seen,
      ),
  });
  if (run.end.ended === "killed")
    throw new HandoffError(run.end.reason, undefined, { details: run.log.tail });
  if (run.end.ended === "failed_to_start")
    throw new HandoffError("RENDER_CONTAINMENT_MISSING", run.end.detail);
  const written = await access(`${options.folder}/${name}`).then(
    () => true,
    () => false,
  );
  if (run.end.exitCode !== 0 || !written)
    throw new HandoffError("RENDER_BLENDER_FAILED", undefined, { details: run.log.tail });
  return name;
}
