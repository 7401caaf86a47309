import { mkdir } from "node:fs/promises";
import { z } from "zod";
import { BlenderVersion, Engine } from "../../contracts/documents/job.ts";
import type { Containment } from "../../contracts/documents/policy.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { readDocument } from "../core/json/read-document.ts";
import { scriptArguments } from "./args.ts";
import type { BlenderIdentity } from "./identify.ts";
import { judge } from "./judge.ts";
import { launchBlender } from "./launch.ts";
import { failureOf } from "./outcome.ts";
import { rulesOf } from "./versions/known.ts";

const Capabilities = z.strictObject({
  schema: z.literal("render_handoff.blender_capabilities.v1"),
  version: BlenderVersion,
  engines: z.array(Engine).max(3).describe("that can be chosen; some need a display or a GPU to render"),
  denoiser: z.boolean().describe("whether OpenImageDenoise is built in"),
});
export type Capabilities = z.infer<typeof Capabilities>;

export interface CapabilitiesOptions {
  readonly identity: BlenderIdentity;
  readonly containment: Containment;
  /** Absolute, for this call alone; the caller removes it. */
  readonly runFolder: string;
  readonly signal: AbortSignal;
  readonly marker: string;
  readonly clock: Clock;
}

const WATCHDOG_MS = 60_000;

/** Asks Blender itself, without a scene. Throws RENDER_ codes. */
export async function askCapabilities(options: CapabilitiesOptions): Promise<Capabilities> {
  const rules = rulesOf(options.identity.version);
  if (rules === undefined) throw new HandoffError("RENDER_SERIES_UNKNOWN");
  const nothing = `${options.runFolder}/nothing`;
  await mkdir(nothing, { recursive: true });
  const run = await launchBlender({
    ...options,
    sceneFolder: nothing,
    outputFolder: nothing,
    device: "CPU",
    watchdogMs: WATCHDOG_MS,
    arguments: (seen) =>
      scriptArguments(
        "capabilities.py",
        { engines: rules.engines, file: `${seen.facts}/capabilities.json` },
        seen,
      ),
  });
  const read = await readCapped(`${options.runFolder}/facts/capabilities.json`, 64 * 1024);
  const document = read.ok ? readDocument(Capabilities, read.bytes) : null;
  if (document?.ok) return document.value;
  throw failureOf(judge(run)) ?? new HandoffError("RENDER_BLENDER_FAILED", "It did not say what it can do.");
}
