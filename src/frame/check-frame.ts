import { type Bytes, bytesInMemory } from "../core/bytes.ts";
import { sha256Of } from "../core/digest.ts";
import { fault } from "../core/fault.ts";
import { decodeRows } from "./decode-rows.ts";
import { digestChunks, startPixelDigest } from "./digest-frame.ts";
import { type ChunkJudgement, judgeChunks } from "./judge-chunks.ts";
import { readText } from "./read-text.ts";
import { placeOf, scanChunks } from "./scan-chunks.ts";
import { type FrameFacts, type FrameSpec, type FrameVerdict, type RowSink, rowShape } from "./spec.ts";

export type { FrameFacts, FrameSpec, FrameVerdict, RowSink } from "./spec.ts";

/** More faults than a person reads, few enough for a report: a hostile file can have millions. */
const MOST_FAULTS = 100;

export interface CheckOptions {
  /** What the job asks for; null takes any handed-over format. */
  readonly expect: FrameSpec | null;
  /** Keeps the unfiltered rows in the facts. */
  readonly keepRows?: boolean;
  /** Looks at the rows as they come, once the format is known; of a frame that is refused it may see some. */
  readonly look?: (header: FrameSpec) => RowSink;
}

/**
 * The strict gate for one PNG frame, with a full decode: every rule of docs/FRAMES-AND-BUNDLES.md. A
 * refusal lists each fault (structure, chunks, pixels), at most 100; after a broken structure it stops there.
 * `warnings` has the chunks that the canonical form drops unasked, and PNG_NOT_CANONICAL: in a bundle a
 * rejection, as its severity in the catalogue says, in an inspection not. Throws HandoffError
 * INTERNAL_UNEXPECTED when this machine fails (memory), never for what the bytes are.
 */
export const checkFrame = (bytes: Uint8Array, options: CheckOptions): FrameVerdict =>
  checkFrameFile(bytesInMemory(bytes), options);

/** The same of a file that need not be in memory: it is read three times. Throws what reading it throws, too. */
export function checkFrameFile(file: Bytes, options: CheckOptions): FrameVerdict {
  const scan = scanChunks(file);
  if (scan.chunks.length === 0 && !scan.whole) return { ok: false, faults: scan.faults };
  const judged = judgeChunks(file, scan, options.expect);
  const faults = [...scan.faults, ...judged.faults];
  // pixels are looked at in spite of other faults, so that a verdict is complete, but never out of a
  // broken structure
  const decoded = scan.whole ? decode(file, judged, options) : null;
  if (decoded !== null) faults.push(...decoded.faults);
  if (faults.length > 0 || decoded === null || judged.header === null)
    return { ok: false, faults: faults.slice(0, MOST_FAULTS) };

  const { header, kept, stray } = judged;
  const facts: FrameFacts = {
    ...header,
    bytes: file.size,
    sha256: sha256Of(file),
    pixelsSha256: decoded.pixelsSha256,
    canonical: stray === null,
    colourChunks: digestChunks(file, [...scan.chunks.slice(0, 1), ...kept]),
    text: readText(file, scan.chunks),
    ...(decoded.rows === null ? {} : { rows: decoded.rows }),
  };
  const warnings = judged.warnings.slice(0, MOST_FAULTS);
  // PNG rule 6, which is for whoever asks
  if (stray !== null) warnings.push(fault("PNG_NOT_CANONICAL", placeOf(stray)));
  return { ok: true, facts, warnings };
}

interface Decoded {
  readonly faults: ReturnType<typeof decodeRows>;
  readonly pixelsSha256: string;
  /** Those that were taken by then, where they are to be kept. */
  readonly rows: Buffer | null;
}

function decode(file: Bytes, judged: ChunkJudgement, { keepRows, look }: CheckOptions): Decoded | null {
  const { header, imageData } = judged;
  if (header === null || imageData === null) return null;
  const pixels = startPixelDigest(header);
  const { rowBytes } = rowShape(header);
  const kept: Buffer[] = [];
  const sinks: RowSink[] = [(rows) => pixels.update(rows)];
  if (keepRows === true) sinks.push((rows) => kept.push(Buffer.from(rows)));
  if (look !== undefined) sinks.push(look(header));
  const faults = decodeRows(file, { imageData, header }, sinks);
  const rows =
    keepRows === true && faults.length === 0 ? Buffer.concat(kept, header.height * rowBytes) : null;
  return { faults, pixelsSha256: pixels.digest("hex"), rows };
}
