import type { FrameRange } from "../options.ts";

export interface DemoFlags {
  out?: string;
  frames: FrameRange;
  scene?: string;
  makeScene?: string;
  blender?: string;
  trustScenes?: true;
  withBadWorker?: true;
  watch?: true;
  json?: true;
}
