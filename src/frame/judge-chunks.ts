import type { Bytes } from "../core/bytes.ts";
import { type Fault, fault } from "../core/fault.ts";
import { KEPT_CHUNKS, keptRank } from "./kept-chunks.ts";
import { readHeader } from "./read-header.ts";
import { type Chunk, type ChunkScan, dataOf, placeOf } from "./scan-chunks.ts";
import type { FrameSpec } from "./spec.ts";

export interface ChunkJudgement {
  readonly header: FrameSpec | null;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  /** The image data as one run of intact chunks; null where it is none. */
  readonly imageData: readonly Chunk[] | null;
  /** Kept ancillary chunks in canonical order. */
  readonly kept: readonly Chunk[];
  /** The first chunk that the canonical form drops or has elsewhere; null in canonical form. */
  readonly stray: Chunk | null;
}

/** Known chunks that no frame may have. */
const FORBIDDEN = {
  PLTE: "PNG_PALETTE",
  tRNS: "PNG_TRANSPARENCY",
  acTL: "PNG_ANIMATED",
  fcTL: "PNG_ANIMATED",
  fdAT: "PNG_ANIMATED",
  CgBI: "PNG_CGBI",
} as const;
const isForbidden = (type: string): type is keyof typeof FORBIDDEN => Object.hasOwn(FORBIDDEN, type);
const BELONGS_TO_FORMAT: ReadonlySet<string> = new Set([FORBIDDEN.PLTE, FORBIDDEN.tRNS]);
/** Known chunks that say nothing of the pixels: allowed anywhere, dropped without a word. */
const SILENT: ReadonlySet<string> = new Set(["tEXt", "zTXt", "iTXt", "tIME", "eXIf"]);

/** PNG rules 2, 3 and 6: which chunks, how often, where, and in canonical order or not. */
export function judgeChunks(file: Bytes, scan: ChunkScan, expect: FrameSpec | null): ChunkJudgement {
  const faults: Fault[] = [];
  const { header, headerChunk } = findHeader(file, scan.chunks, { expect, faults });
  const foreign = faults.some((one) => one.code === "PNG_FORMAT");
  const imageData = judgeImageData(scan, faults);
  const firstData = scan.chunks.find((chunk) => chunk.type === "IDAT");
  const warnings: Fault[] = [];
  const kept = new Map<string, Chunk>();
  let stray: Chunk | null = null;
  let lastRank = -1;
  for (const chunk of scan.chunks) {
    const { type } = chunk;
    if (type === "IDAT" || chunk === headerChunk) continue;
    if (KEPT_CHUNKS.has(type)) {
      const late = firstData !== undefined && chunk.start > firstData.start;
      faults.push(...judgeKept(file, chunk, { header, again: kept.has(type), late }));
      if (!kept.has(type)) kept.set(type, chunk);
      if (keptRank(type) <= lastRank) stray ??= chunk;
      lastRank = keptRank(type);
    } else if (type !== "IEND") {
      stray ??= chunk;
    }
    const other = judgeOther(chunk);
    // palette and transparency belong to formats that are refused as a whole
    if (other !== null && foreign && BELONGS_TO_FORMAT.has(other.code)) continue;
    if (other !== null) (other.code === "PNG_CHUNK_DROPPED" ? warnings : faults).push(other);
  }
  const inOrder = [...kept.values()].sort((left, right) => keptRank(left.type) - keptRank(right.type));
  return { header, faults, warnings, imageData, kept: inOrder, stray };
}

/** IDAT chunks that follow each other and are intact; faults otherwise. */
function judgeImageData(scan: ChunkScan, faults: Fault[]): Chunk[] | null {
  const run: Chunk[] = [];
  let sound = true;
  for (const [index, chunk] of scan.chunks.entries()) {
    if (chunk.type !== "IDAT") continue;
    const adjacent = run.length === 0 || scan.chunks[index - 1]?.type === "IDAT";
    if (!adjacent) faults.push(fault("PNG_IDAT_SPLIT", placeOf(chunk)));
    sound &&= adjacent && chunk.intact;
    run.push(chunk);
  }
  // after a broken chunk the rest is unknown, not missing
  if (run.length === 0 && scan.whole) faults.push(fault("PNG_IDAT_MISSING", "IDAT"));
  return sound && run.length > 0 ? run : null;
}

/** What is wrong with a chunk that is neither image data nor kept; null when nothing is. */
function judgeOther(chunk: Chunk): Fault | null {
  const { type } = chunk;
  const where = placeOf(chunk);
  if (type === "IHDR") return fault("PNG_CHUNK_DUPLICATE", where);
  if (type === "IEND")
    return chunk.length === 0
      ? null
      : fault("PNG_IEND_INVALID", where, { expected: 0, actual: chunk.length });
  if (isForbidden(type)) return fault(FORBIDDEN[type], where);
  if (KEPT_CHUNKS.has(type) || SILENT.has(type)) return null;
  return fault(isCritical(type) ? "PNG_CRITICAL_UNKNOWN" : "PNG_CHUNK_DROPPED", where);
}

/** IHDR as the first chunk; Apple's variant puts its own before, which has its own code. */
function findHeader(
  file: Bytes,
  chunks: readonly Chunk[],
  context: { readonly expect: FrameSpec | null; readonly faults: Fault[] },
): { header: FrameSpec | null; headerChunk: Chunk | undefined } {
  const first = chunks[0]?.type === "CgBI" ? chunks[1] : chunks[0];
  if (first?.type !== "IHDR") {
    context.faults.push(fault("PNG_IHDR_MISSING", first === undefined ? "IHDR" : placeOf(first)));
    return { header: null, headerChunk: chunks.find((chunk) => chunk.type === "IHDR") };
  }
  const verdict = readHeader(file, first, context.expect);
  if (!verdict.ok) context.faults.push(...verdict.faults);
  return { header: verdict.ok && first.intact ? verdict.header : null, headerChunk: first };
}

function judgeKept(
  file: Bytes,
  chunk: Chunk,
  state: { readonly header: FrameSpec | null; readonly again: boolean; readonly late: boolean },
): Fault[] {
  const where = placeOf(chunk);
  const faults: Fault[] = [];
  if (state.again) faults.push(fault("PNG_CHUNK_DUPLICATE", where));
  if (state.late) faults.push(fault("PNG_CHUNK_ORDER", where));
  const rule = KEPT_CHUNKS.get(chunk.type);
  // one profile is enough to inflate, and without a header there is nothing to measure sBIT or bKGD by
  if (rule !== undefined && !state.again && state.header !== null && !rule(dataOf(file, chunk), state.header))
    faults.push(fault(chunk.type === "iCCP" ? "PNG_ICC_PROFILE" : "PNG_CHUNK_INVALID", where));
  return faults;
}

/** Bit 5 of the first letter: upper case means that no decoder may pass it over. */
const isCritical = (type: string): boolean => (type.charCodeAt(0) & 0x20) === 0;
