import type { KeptKeyword } from "../../../contracts/documents/frame-metadata.ts";

export interface RenderChildFlags {
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
  keepMetadata?: KeptKeyword[];
  metadataFolder?: string;
  metricsFile?: string;
  drainOnly?: true;
  discardLost?: true;
  maxWait: number;
  json?: true;
}
