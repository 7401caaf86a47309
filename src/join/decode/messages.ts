import type { BundleCaps } from "../../bundle/read.ts";
import type { Fault } from "../../core/fault.ts";
import type { FrameFacts, FrameSpec } from "../../frame/spec.ts";
import type { Look } from "../content/look.ts";

/** What a decoder can be asked; each task stands alone, so that any decoder can take it. */
export type DecodeTask =
  | {
      readonly kind: "bundle";
      readonly path: string;
      readonly members: readonly string[];
      readonly manifest: string;
      readonly caps: BundleCaps;
    }
  | {
      readonly kind: "frame";
      readonly path: string;
      readonly members: readonly string[];
      readonly caps: BundleCaps;
      readonly member: string;
      readonly expect: FrameSpec;
    };

export type DecodeAnswer =
  | {
      readonly kind: "bundle";
      /** Null for a file over the cap: it is not read. */
      readonly sha256: string | null;
      readonly bytes: number;
      /** Faults of the archive; with any, its members are not read. */
      readonly faults: readonly Fault[];
      readonly manifest: Uint8Array | null;
    }
  | {
      readonly kind: "frame";
      readonly facts: FrameFacts | null;
      readonly faults: readonly Fault[];
      /** Of a frame that passed. */
      readonly look?: Look;
    }
  /** The bundle cannot be read on this machine. */
  | { readonly kind: "unreadable"; readonly detail: string };
