import { LIMITS } from "../../contracts/limits.ts";
import type { Bytes } from "../core/bytes.ts";
import { type Fault, fault } from "../core/fault.ts";
import { InflateFault, type InflateSteps, inflateSteps, type PiecedStream } from "../core/inflate-steps.ts";
import { rowMachine } from "./row-machine.ts";
import type { Chunk } from "./scan-chunks.ts";
import { type FrameSpec, type RowSink, rowShape } from "./spec.ts";
import { readZlibHeader } from "./zlib-header.ts";

const WHERE = "IDAT";
const FULL_WINDOW_BITS = 15;

/**
 * PNG rules 4 and 5: one zlib stream over all IDAT data that makes exactly the image's rows, each with a
 * filter that there is. Every sink gets the unfiltered rows, block by block, before all of this is known:
 * what it made of them counts for nothing where there are faults.
 */
export function decodeRows(
  file: Bytes,
  { imageData, header }: { readonly imageData: readonly Chunk[]; readonly header: FrameSpec },
  sinks: readonly RowSink[],
): Fault[] {
  const stream = (): Iterable<Buffer> => dataIn(file, imageData);
  const length = imageData.reduce((sum, chunk) => sum + chunk.length, 0);
  const windowBits = readZlibHeader(stream(), length);
  if (typeof windowBits !== "number") return [windowBits];
  const { height, rowBytes } = rowShape(header);
  const wanted = height * (1 + rowBytes);
  const possible = length * LIMITS.inflateRatio;
  // before any work is done: a tiny file cannot hold a huge image
  if (wanted > possible)
    return [
      fault("PNG_DATA_SHORT", WHERE, {
        expected: wanted,
        actual: `at most ${possible} bytes can come of it`,
      }),
    ];
  const steps = inflateSteps({ pieces: stream(), length }, { maxBytes: wanted });
  try {
    const rows = takeRows(steps, header, sinks);
    const faults: Fault[] = [];
    if (rows.bytes < wanted)
      faults.push(fault("PNG_DATA_SHORT", WHERE, { expected: wanted, actual: rows.bytes }));
    else if (steps.read(new Uint8Array(1)) > 0) return [fault("PNG_DATA_LONG", WHERE, { expected: wanted })];
    if (steps.consumed() < length)
      faults.push(fault("PNG_IDAT_TRAILING", WHERE, { actual: length - steps.consumed() }));
    if (faults.length === 0 && reachesTooFar({ pieces: stream(), length }, windowBits, wanted))
      faults.push(fault("PNG_ZLIB_WINDOW", WHERE, { expected: `distances up to ${2 ** windowBits}` }));
    return faults.length === 0 && rows.fault !== null ? [rows.fault] : faults;
  } catch (thrown) {
    if (!(thrown instanceof InflateFault)) throw thrown;
    return [faultOf(thrown, wanted)];
  } finally {
    steps.close();
  }
}

function* dataIn(file: Bytes, imageData: readonly Chunk[]): Generator<Buffer> {
  for (const { start, length } of imageData) yield* file.pieces(start + 8, length);
}

interface TakenRows {
  /** Inflated bytes, filter bytes among them. */
  readonly bytes: number;
  /** Of the first filter that there is not; what comes after it is inflated all the same. */
  readonly fault: Fault | null;
}

function takeRows(steps: InflateSteps, header: FrameSpec, sinks: readonly RowSink[]): TakenRows {
  const shape = rowShape(header);
  const machine = rowMachine(shape);
  const stride = shape.rowBytes + 1;
  let bytes = 0;
  let found: Fault | null = null;
  for (let row = 0; row < shape.height; row += machine.blockRows) {
    const wanted = Math.min(machine.blockRows, shape.height - row);
    const filtered = machine.filtered.subarray(0, wanted * stride);
    const got = steps.read(filtered);
    bytes += got;
    const rows = Math.floor(got / stride);
    if (found === null && rows > 0) {
      const unfiltered = machine.unfilter(rows);
      const done = unfiltered.length / shape.rowBytes;
      if (done < rows) {
        const actual = filtered[done * stride] ?? 0;
        found = fault("PNG_FILTER", `row ${row + done}`, { expected: "0 to 4", actual });
      } else for (const sink of sinks) sink(unfiltered, row);
    }
    if (got < filtered.length) break;
  }
  return { bytes, fault: found };
}

function faultOf({ why }: InflateFault, wanted: number): Fault {
  switch (why) {
    case "truncated":
      return fault("PNG_ZLIB_TRUNCATED", WHERE);
    case "checksum":
      return fault("PNG_ADLER", WHERE);
    case "corrupt":
      return fault("PNG_INFLATE", WHERE);
    case "too_long":
      return fault("PNG_DATA_LONG", WHERE, { expected: wanted });
  }
}

/** Steps of the second run: more would cost more than the frame itself. */
const MOST_STEPS = 131_072;

/**
 * Whether the stream refers to bytes further back than its header's window. In one piece of output zlib
 * never needs its window, so the stream is run again in small steps with just the stated one, and what comes of
 * it is thrown away. The limit is exact to a step: 64 bytes for frames of up to 8 MiB. Encoders state a smaller
 * window for small images, where it covers all.
 */
function reachesTooFar(stream: PiecedStream, windowBits: number, wanted: number): boolean {
  if (windowBits === FULL_WINDOW_BITS || wanted <= 2 ** windowBits) return false;
  const into = new Uint8Array(Math.max(64, Math.ceil(wanted / MOST_STEPS)));
  const steps = inflateSteps(stream, { maxBytes: wanted, windowBits, chunkBytes: into.length });
  try {
    while (steps.read(into) === into.length);
    return false;
  } catch (thrown) {
    if (thrown instanceof InflateFault) return true;
    throw thrown;
  } finally {
    steps.close();
  }
}
