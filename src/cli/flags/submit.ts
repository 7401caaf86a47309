import type { FrameRange } from "../options.ts";
import type { AdministrationFlags } from "./administration.ts";

export interface SubmitFlags extends AdministrationFlags {
  frames: FrameRange;
  job?: string;
  sceneRoot?: string;
  blender?: string;
  size?: { width: number; height: number };
  engine?: "CYCLES" | "EEVEE" | "WORKBENCH";
  colorMode: "BW" | "RGB" | "RGBA";
  bitDepth: 8 | 16;
  samples?: number;
  seed: number;
  allowScripts?: true;
  allowMissing?: true;
  trustScenes?: true;
  policy?: string;
  sameWorker?: true;
  watchdogSeconds?: number;
  runSeconds?: number;
  slotSeconds?: number;
  leaseSeconds?: number;
  maxClaims?: number;
}
