import type { MetadataFlags } from "./metadata.ts";

/** Which state folder is meant: named, or found by the worker's token. */
export interface DispatchFlags {
  state?: string;
  tokenFile?: string;
  json?: true;
}
export interface DispatchEnqueueFlags extends DispatchFlags {
  slot: "a" | "b";
  gateway: string;
  job?: string;
  every?: number;
  due?: number;
  allowInsecure?: true;
}
export interface DispatchRunFlags extends DispatchFlags, MetadataFlags {
  tokenFile: string;
  output: string;
  blender?: string;
  threads: number;
  allowScripts?: true;
  trustScenes?: true;
  allowInsecure?: true;
  metricsFile?: string;
  maxWait: number;
  now?: number;
}
