import type { BundleCaps } from "../../bundle/read.ts";
import type { FrameSpec } from "../../frame/spec.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A verified frame: to be written out where there is a `target`, and drawn where a `thumbnail` is asked for. */
export interface DrawTask {
  readonly path: string;
  readonly members: readonly string[];
  readonly caps: BundleCaps;
  readonly member: string;
  readonly spec: FrameSpec;
  readonly sha256: string;
  readonly pixelsSha256: string;
  readonly target: string | null;
  readonly thumbnail: Size | null;
}

export type DrawAnswer =
  /** RGB pixels of the thumbnail, or nothing where none was asked for. */
  | { readonly ended: "written"; readonly thumbnail: Uint8Array | null }
  /** The bundle is not what it was when it was verified, or the disk failed. */
  | { readonly ended: "failed"; readonly detail: string }
  /** pngjs sees other pixels than we do. */
  | { readonly ended: "disagree"; readonly actual: string };
