import { mkdir } from "node:fs/promises";
import type { Containment } from "../../contracts/documents/policy.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { inspectArguments } from "./args.ts";
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
 * and escaping files are part of the facts. Throws RENDER_SCENE_INVALID when it cannot be opened, the code of
 * the signal or RENDER_WATCHDOG when it was killed.
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
    arguments: (seen) => inspectArguments({ rules, main: options.main, threads: 1 }, seen),
  });
  // Warnings of a scene that was opened (a library's missing part, a disabled driver) are facts, no failures.
  const opened = run.facts !== null && run.facts.refusals.length === 0;
  const failure = failureOf(judge(opened ? { ...run, log: { ...run.log, errors: [] } } : run));
  if (failure !== null) throw failure;
  if (run.facts === null) throw new HandoffError("RENDER_SCENE_INVALID");
  const { scene } = run.facts;
  const engine = (["CYCLES", "EEVEE", "WORKBENCH"] as const).find(
    (name) => rules.engines[name] === scene.engine,
  );
  return { facts: scene, engine: engine ?? null };
}
