import { sha256 } from "../core/digest.ts";
import { type Fault, fault } from "../core/fault.ts";
import { releaseMemory } from "../core/release-memory.ts";
import { digestChunks, digestPixels } from "./digest-frame.ts";
import { inflateRows } from "./inflate-rows.ts";
import { type ChunkJudgement, judgeChunks } from "./judge-chunks.ts";
import { readText } from "./read-text.ts";
import { placeOf, scanChunks } from "./scan-chunks.ts";
import { type FrameFacts, type FrameSpec, type FrameVerdict, pixelBytes, rowBytes } from "./spec.ts";
import { unfilter } from "./unfilter.ts";

export type { FrameFacts, FrameSpec, FrameVerdict } from "./spec.ts";

/** More faults than a person reads, few enough for a report: a hostile file can have millions. */
const MOST_FAULTS = 100;

export interface CheckOptions {
  /** What the job asks for; null takes any handed-over format. */
  readonly expect: FrameSpec | null;
  /** Keeps the unfiltered rows in the facts. */
  readonly keepRows?: boolean;
  /** Most memory for the rows: a larger frame is JOIN_DECODE_MEMORY, which proves nothing against it. */
  readonly memoryBytes?: number;
}

/**
 * The strict gate for one PNG frame, with a full decode: every rule of docs/FRAMES-AND-BUNDLES.md. A
 * refusal lists each fault (structure, chunks, pixels), at most 100; after a broken structure it stops there.
 * `warnings` has the chunks that the canonical form drops unasked, and PNG_NOT_CANONICAL: in a bundle a
 * rejection, as its severity in the catalogue says, in an inspection not. Throws HandoffError
 * INTERNAL_UNEXPECTED when this machine fails (memory), never for what the bytes are.
 */
export function checkFrame(bytes: Uint8Array, options: CheckOptions): FrameVerdict {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan = scanChunks(file);
  if (scan.chunks.length === 0 && !scan.whole) return { ok: false, faults: scan.faults };
  const judged = judgeChunks(file, scan, options.expect);
  const faults = [...scan.faults, ...judged.faults];
  // pixels are looked at in spite of other faults, so that a verdict is complete, but never out of a
  // broken structure
  const decoded = scan.whole ? decode(file, judged, options.memoryBytes ?? Infinity) : null;
  if (decoded?.ok === false) faults.push(...decoded.faults);
  if (faults.length > 0 || decoded?.ok !== true || judged.header === null)
    return { ok: false, faults: faults.slice(0, MOST_FAULTS) };

  const { header, kept, stray } = judged;
  const facts: FrameFacts = {
    ...header,
    bytes: file.length,
    sha256: sha256(file),
    pixelsSha256: digestPixels(header, decoded.rows),
    canonical: stray === null,
    colourChunks: digestChunks(file, [...scan.chunks.slice(0, 1), ...kept]),
    text: readText(file, scan.chunks),
    ...(options.keepRows === true ? { rows: decoded.rows } : {}),
  };
  if (options.keepRows !== true) releaseMemory(decoded.rows);
  const warnings = judged.warnings.slice(0, MOST_FAULTS);
  if (stray !== null) warnings.push(fault("PNG_NOT_CANONICAL", placeOf(stray)));
  return { ok: true, facts, warnings };
}

type Decoded =
  | { readonly ok: true; readonly rows: Buffer }
  | { readonly ok: false; readonly faults: readonly Fault[] };

function decode(file: Buffer, judged: ChunkJudgement, memoryBytes: number): Decoded | null {
  const { header, imageData } = judged;
  if (header === null || imageData === null) return null;
  const inflated = inflateRows(file, imageData, { ...header, memoryBytes });
  if (!inflated.ok) return inflated;
  const shape = { height: header.height, rowBytes: rowBytes(header), pixelBytes: pixelBytes(header) };
  const rows = unfilter(inflated.raw, shape);
  if (rows.ok) return rows;
  const where = `row ${rows.row}`;
  return { ok: false, faults: [fault("PNG_FILTER", where, { expected: "0 to 4", actual: rows.filter })] };
}
