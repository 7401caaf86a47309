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
      /** pngjs decodes it too, and must see the same pixels. */
      readonly second?: boolean;
    }
  | InspectTask;

/** Of a file of unknown kind, or of some members of a bundle that a first such task found sound. */
export interface InspectTask {
  readonly kind: "inspect";
  /** Bytes where the path is no UTF-8. */
  readonly path: string | Uint8Array;
  readonly expect: FrameSpec | null;
  readonly members: readonly string[] | null;
  /** Members by number, from the first up to before the last; null for the file itself. */
  readonly range: MemberRange | null;
}

export interface MemberRange {
  readonly from: number;
  readonly to: number;
}

export interface MemberGroup extends MemberRange {
  /** What they are called, in case that nothing comes of asking for them. */
  readonly names: readonly string[];
}

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
  | InspectAnswer
  /** The bundle cannot be read on this machine. */
  | { readonly kind: "unreadable"; readonly detail: string };

export interface InspectAnswer {
  readonly kind: "inspect";
  readonly is: "png" | "bundle" | "unknown";
  readonly faults: readonly Fault[];
  /** Frames that passed, each by the member's name; of a file that is a frame itself by "". */
  readonly frames: readonly (readonly [member: string, facts: FrameFacts])[];
  /** What is left to be asked of a sound bundle. */
  readonly rest: readonly MemberGroup[];
}
