import type { Fault } from "../core/fault.ts";

/** What a job asks of each frame. `colorType` is PNG's: 0 grey, 2 RGB, 6 RGBA. */
export interface FrameSpec {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 8 | 16;
  readonly colorType: 0 | 2 | 6;
}

export interface FrameFacts extends FrameSpec {
  /** Size of the file. */
  readonly bytes: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** `png-rows-v1`: SHA-256 over `<width> <height> <bit_depth> <color_type>\n` and the unfiltered rows. */
  readonly pixelsSha256: string;
  /** Whether the file is its own canonical form. */
  readonly canonical: boolean;
  /** SHA-256 over IHDR and the kept ancillary chunks, whole and in canonical order. */
  readonly colourChunks: string;
  /** tEXt keywords with their values, of unknown origin: at most 64 of at most 1024 characters. */
  readonly text: Record<string, string>;
  /** The unfiltered rows without filter bytes, samples big-endian; only on request. */
  readonly rows?: Buffer;
}

/**
 * Takes the unfiltered rows of a frame as they come, some at a time, from row `first` on; the memory is theirs
 * during the call alone.
 */
export type RowSink = (rows: Uint8Array, first: number) => void;

export type FrameVerdict =
  | { readonly ok: true; readonly facts: FrameFacts; readonly warnings: readonly Fault[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const CHANNELS = { 0: 1, 2: 3, 6: 4 } as const;

export const channelsOf = (spec: FrameSpec): 1 | 3 | 4 => CHANNELS[spec.colorType];
/** Bytes of one pixel. */
export const pixelBytes = (spec: FrameSpec): number => (CHANNELS[spec.colorType] * spec.bitDepth) / 8;
/** Bytes of one row without its filter byte. */
export const rowBytes = (spec: FrameSpec): number => spec.width * pixelBytes(spec);

export interface RowShape {
  readonly height: number;
  /** Bytes of a row without its filter byte. */
  readonly rowBytes: number;
  readonly pixelBytes: number;
}
export const rowShape = (spec: FrameSpec): RowShape => ({
  height: spec.height,
  rowBytes: rowBytes(spec),
  pixelBytes: pixelBytes(spec),
});
