import { inflateRawSync, inflateSync } from "node:zlib";
import { HandoffError, systemCode } from "./error.ts";

export interface InflateOptions {
  /** More output than this is refused. */
  readonly maxBytes: number;
  /** Deflate without the zlib header and checksum. */
  readonly raw?: boolean;
  /** Output is made in pieces of this size; by default in one piece, without a copy. */
  readonly chunkBytes?: number;
  /** Base two logarithm of the window; 15 by default, whatever the header says. */
  readonly windowBits?: number;
}

/** What is wrong with bytes that cannot be inflated. */
export type InflateProblem = "truncated" | "too_long" | "checksum" | "corrupt";

export type Inflated =
  | { readonly ok: true; readonly bytes: Buffer; readonly consumed: number }
  | { readonly ok: false; readonly why: InflateProblem };

/**
 * Inflates outside bytes. `consumed` is less than the input's length when bytes follow the end mark.
 * Throws HandoffError INTERNAL_UNEXPECTED for a fault of the machine (memory), never for the bytes.
 */
export function inflateCapped(input: Uint8Array, options: InflateOptions): Inflated {
  const settings = {
    info: true,
    maxOutputLength: Math.max(1, options.maxBytes), // zlib takes no 0: an empty result is told by its length
    chunkSize: options.chunkBytes ?? Math.max(64, options.maxBytes + 1),
    windowBits: options.windowBits ?? 15,
  };
  try {
    const result: unknown =
      options.raw === true ? inflateRawSync(input, settings) : inflateSync(input, settings);
    const { bytes, consumed } = narrow(result);
    if (bytes.byteLength > options.maxBytes) return { ok: false, why: "too_long" };
    return { ok: true, bytes, consumed };
  } catch (thrown) {
    return { ok: false, why: reasonOf(thrown) };
  }
}

/** The shape that zlib gives with `info: true`; its declared type is that without. */
function narrow(result: unknown): { bytes: Buffer; consumed: number } {
  if (typeof result === "object" && result !== null && "buffer" in result && "engine" in result) {
    const { buffer, engine } = result;
    if (Buffer.isBuffer(buffer) && typeof engine === "object" && engine !== null && "bytesWritten" in engine)
      return { bytes: buffer, consumed: Number(engine.bytesWritten) };
  }
  throw new HandoffError("INTERNAL_UNEXPECTED", "zlib did not tell how much it consumed");
}

function reasonOf(thrown: unknown): InflateProblem {
  const why = problemOf(systemCode(thrown), thrown instanceof Error ? thrown.message : "");
  if (why !== null) return why;
  if (thrown instanceof HandoffError) throw thrown;
  throw new HandoffError("INTERNAL_UNEXPECTED", "inflate failed for a reason of this machine", {
    cause: thrown,
  });
}

/** What zlib's code and text say of the bytes; null for what is a fault of the machine. */
export function problemOf(code: string | undefined, message: string): InflateProblem | null {
  switch (code) {
    case "Z_BUF_ERROR":
      return "truncated";
    case "ERR_BUFFER_TOO_LARGE":
      return "too_long";
    case "Z_NEED_DICT":
      return "corrupt";
    case "Z_DATA_ERROR":
      // zlib has one code for both; its text for the checksum has stood since its first version
      return message === "incorrect data check" ? "checksum" : "corrupt";
    default:
      return null;
  }
}
