import type { FrameSpec } from "../../frame/spec.ts";

interface Online {
  job?: string;
  gateway?: string;
  tokenFile?: string;
  allowInsecure?: true;
  json?: true;
}
export interface JoinVerifyFlags extends Online {
  out?: string;
  policy?: string;
  strictContent?: true;
  secondDecoder?: true;
  expectJob?: string;
  expectGateway?: string;
  report?: string;
  html?: string;
  sarif?: string;
  post?: true;
  reopenRejected?: true;
  adminTokenFile?: string;
}
export interface JoinCollectFlags extends Online {
  out: string;
}
export interface JoinInspectFlags {
  stdin0?: true;
  frame?: FrameSpec;
  members?: string[];
  json?: true;
}
