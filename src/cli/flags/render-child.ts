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
  drainOnly?: true;
  maxWait: number;
  json?: true;
}
