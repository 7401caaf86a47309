import type { MetadataFlags } from "./metadata.ts";

export interface RenderChildFlags extends MetadataFlags {
  slot: "a" | "b";
  gateway: string;
  tokenFile: string;
  job?: string;
  state?: string;
  blender?: string;
  threads: number;
  allowScripts?: true;
  trustScenes?: true;
  allowInsecure?: true;
  metricsFile?: string;
  drainOnly?: true;
  discardLost?: true;
  maxWait: number;
  json?: true;
}
