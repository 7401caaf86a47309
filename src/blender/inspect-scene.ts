import { mkdir } from "node:fs/promises";
import type { ErrorCode } from "../../contracts/catalogue.ts";
import { allowsMissing } from "../../contracts/documents/job.ts";
import type { Containment } from "../../contracts/documents/policy.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { inspectArguments, type Preflight } from "./args.ts";
import type { SceneFacts } from "./facts.ts";
import type { BlenderIdentity } from "./identify.ts";
import { judge } from "./judge.ts";
import { launchBlender } from "./launch.ts";
import { failureOf } from "./outcome.ts";
import { rulesOf } from "./versions/known.ts";
import type { EngineName } from "./versions/series.ts";

export interface InspectOptions {
  readonly identity: BlenderIdentity;
  readonly containment: Containment;
  /** Absolute: everything that may belong to the scene lies below it. */
  readonly sceneFolder: string;
  readonly main: string;
  /** What would be asked of it; null only describes it. */
  readonly preflight: Preflight | null;
  /** Absolute, for this call alone; the caller removes it. */
  readonly runFolder: string;
  readonly watchdogMs: number;
  readonly signal: AbortSignal;
  readonly marker: string;
  readonly clock: Clock;
}

/** Facts of a scene with the engine by its job name; null where this Blender's engine is none of ours. */
export interface InspectedScene {
  readonly facts: SceneFacts;
  readonly engine: EngineName | null;
}

/**
 * Opens a scene with Blender in its containment, scripts off, and returns what it says about itself. Missing
 * and escaping files are part of the facts. With a preflight everything is done that a render does before its
 * first frame, and what a render would be refused for is thrown: the first code, every item in the details.
 * Throws RENDER_SCENE_INVALID when it cannot be opened, the code of the signal or RENDER_WATCHDOG when it was
 * killed.
 */
export async function inspectScene(options: InspectOptions): Promise<InspectedScene> {
  const rules = rulesOf(options.identity.version);
  if (rules === undefined) throw new HandoffError("RENDER_SERIES_UNKNOWN");
  const outputFolder = `${options.runFolder}/nothing`;
  await mkdir(outputFolder, { recursive: true });
  const run = await launchBlender({
    ...options,
    outputFolder,
    device: "CPU",
    arguments: (seen) =>
      inspectArguments({ rules, main: options.main, threads: 1, preflight: options.preflight }, seen),
  });
  const opened = run.facts !== null && run.facts.refusals.length === 0;
  const failure = failureOf(judge(run, new Set(opened ? excused(options.preflight) : [])));
  if (failure !== null) throw failure;
  if (run.facts === null) throw new HandoffError("RENDER_SCENE_INVALID");
  const { scene } = run.facts;
  const engine = (["CYCLES", "EEVEE", "WORKBENCH"] as const).find(
    (name) => rules.engines[name] === scene.engine,
  );
  return { facts: scene, engine: engine ?? null };
}

/**
 * Warnings of a scene that was opened are facts, no failures. Under a preflight a library's missing part is one
 * all the same: it would fail the render. Scripts are off here, so what they leave behind says nothing.
 */
const excused = (preflight: Preflight | null): ErrorCode[] =>
  preflight === null || allowsMissing(preflight.settings)
    ? ["RENDER_LOG_ERROR", "RENDER_SCENE_INCOMPLETE"]
    : ["RENDER_LOG_ERROR"];
