import { constants, createInflate } from "node:zlib";
import { HandoffError } from "./error.ts";
import { type InflateProblem, inflateCapped, problemOf } from "./inflate-capped.ts";

/** Bytes that cannot be inflated. */
export class InflateFault extends Error {
  override readonly name = "InflateFault";
  readonly why: InflateProblem;
  constructor(why: InflateProblem) {
    super(why);
    this.why = why;
  }
}

/** What is to be inflated, in pieces that are there until the next one is asked for. */
export interface PiecedStream {
  readonly pieces: Iterable<Uint8Array>;
  /** Of all of them. */
  readonly length: number;
}

/** A zlib stream that is inflated into memory of the caller's, as much as there is room for at a time. */
export interface InflateSteps {
  /**
   * Fills `into` from its start and tells how many bytes it has of it: fewer only when the stream is over and
   * its checksum was right. Throws InflateFault, and HandoffError INTERNAL_UNEXPECTED for a fault of the machine.
   */
  read(into: Uint8Array): number;
  /** Bytes of the input that were used so far. */
  consumed(): number;
  close(): void;
}

export interface StepsOptions {
  /** Where this Node.js inflates at once: more output than this is refused … */
  readonly maxBytes: number;
  /** … and it is made in pieces of this size, since within a piece no window is needed. */
  readonly chunkBytes?: number;
  /** Base two logarithm of the window; 15 by default, whatever the header says. */
  readonly windowBits?: number;
}

/**
 * Inflates outside bytes, which come in pieces, without ever holding the result: taking memory for a whole
 * frame costs more than inflating it. Where this Node.js cannot, it is inflated at once.
 */
export const inflateSteps = (stream: PiecedStream, options: StepsOptions): InflateSteps =>
  nativeSteps(stream, options.windowBits) ?? wholeSteps(stream, options);

/**
 * node:zlib has no public call that inflates into given memory at once, so its streams' own handle is asked, as
 * pngjs does. Null where a Node.js has another one.
 */
export function nativeSteps(pieced: PiecedStream, windowBits = 15): InflateSteps | null {
  const stream = createInflate({ windowBits });
  const handle: unknown = Reflect.get(stream, "_handle");
  const state: unknown = Reflect.get(stream, "_writeState");
  if (isHandle(handle) && state instanceof Uint32Array)
    return new NativeSteps(pieced, { handle, state, close: () => stream.close() });
  stream.close();
  return null;
}

interface Handle {
  writeSync(
    flush: number,
    input: Uint8Array,
    inputAt: number,
    inputLength: number,
    output: Uint8Array,
    outputAt: number,
    outputLength: number,
  ): void;
  onerror: (message: string, number: number, code: string) => void;
}

const isHandle = (handle: unknown): handle is Handle =>
  typeof handle === "object" &&
  handle !== null &&
  typeof Reflect.get(handle, "writeSync") === "function" &&
  typeof Reflect.get(handle, "onerror") === "function";

interface Native {
  readonly handle: Handle;
  /** Room that is left in the output, bytes that are left of the input. */
  readonly state: Uint32Array;
  readonly close: () => void;
}

class NativeSteps implements InflateSteps {
  private readonly pieces: Iterator<Uint8Array>;
  private readonly length: number;
  private readonly native: Native;
  private piece: Uint8Array = new Uint8Array(0);
  private at = 0;
  /** Of the pieces before this one. */
  private before = 0;
  private fault: Error | null = null;

  constructor({ pieces, length }: PiecedStream, native: Native) {
    this.pieces = pieces[Symbol.iterator]();
    this.length = length;
    this.native = native;
    native.handle.onerror = (message, _number, code) => {
      const why = problemOf(code, message);
      this.fault = why === null ? new HandoffError("INTERNAL_UNEXPECTED", message) : new InflateFault(why);
    };
  }

  read(into: Uint8Array): number {
    const { handle, state } = this.native;
    let filled = 0;
    for (;;) {
      const { piece } = this;
      const last = this.before + piece.length === this.length;
      const flush = last ? constants.Z_FINISH : constants.Z_NO_FLUSH;
      handle.writeSync(flush, piece, this.at, piece.length - this.at, into, filled, into.length - filled);
      if (this.fault !== null) throw this.fault;
      const [room = 0, left = 0] = state;
      this.at = piece.length - left;
      filled = into.length - room;
      // room that is left: either the stream is over, or this piece is
      if (room === 0 || left > 0 || last) return filled;
      this.before += piece.length;
      const next = this.pieces.next();
      if (next.done === true) throw new InflateFault("truncated"); // fewer bytes than were announced
      this.piece = next.value;
      this.at = 0;
    }
  }

  consumed(): number {
    return this.before + this.at;
  }

  close(): void {
    this.native.close();
  }
}

export function wholeSteps(stream: PiecedStream, options: StepsOptions): InflateSteps {
  const inflated = inflateCapped(joined(stream), options);
  let at = 0;
  return {
    read: (into) => {
      if (!inflated.ok) throw new InflateFault(inflated.why);
      const part = inflated.bytes.subarray(at, at + into.length);
      into.set(part);
      at += part.length;
      return part.length;
    },
    consumed: () => (inflated.ok ? inflated.consumed : 0),
    close: () => {},
  };
}

/** The whole stream in memory of its own. */
function joined({ pieces, length }: PiecedStream): Buffer {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
