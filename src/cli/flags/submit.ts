import type { Output, RenderSettings } from "../../../contracts/documents/job.ts";
import type { FrameRange } from "../options.ts";
import type { AdministrationFlags } from "./administration.ts";

export interface SubmitFlags extends AdministrationFlags {
  frames: FrameRange;
  job?: string;
  sceneRoot?: string;
  blender?: string;
  size?: { width: number; height: number };
  engine?: RenderSettings["engine"];
  colorMode: Output["color_mode"];
  bitDepth: Output["bit_depth"];
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
