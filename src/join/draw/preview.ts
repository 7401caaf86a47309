import { crc32 } from "node:zlib";
import { type Bytes, bytesInMemory } from "../../core/bytes.ts";
import { type Chunk, dataOf, SIGNATURE_BYTES, scanChunks, wholeOf } from "../../frame/scan-chunks.ts";
import type { FrameSpec } from "../../frame/spec.ts";

/** How long a frame stays, as the fraction that fcTL carries: slow enough to be looked at. */
const DELAY = { numerator: 1, denominator: 8 } as const;

/**
 * An animated PNG of canonical frames of one size, colour type and depth: header and colour chunks of the first,
 * and the image data of all as it stands in their files. Nothing is decoded or encoded.
 */
export class Preview {
  private readonly spec: Pick<FrameSpec, "width" | "height">;
  private readonly frames: number;
  private sequence = 0;
  private started = false;

  constructor(spec: Pick<FrameSpec, "width" | "height">, frames: number) {
    this.spec = spec;
    this.frames = frames;
  }

  /** The bytes that come next for the file of the next frame; it must have passed the gate. */
  add(bytes: Buffer): Buffer[] {
    const file = bytesInMemory(bytes);
    const { chunks } = scanChunks(file);
    const data = chunks.filter((chunk) => chunk.type === "IDAT");
    if (this.started) return [this.control(), ...data.map((chunk) => this.moved(file, chunk))];
    this.started = true;
    const head = chunks.slice(
      0,
      chunks.findIndex((chunk) => chunk.type === "IDAT"),
    );
    return [
      file.read(0, SIGNATURE_BYTES),
      ...head.map((chunk) => wholeOf(file, chunk)),
      chunkOf("acTL", numbers([this.frames, 0])),
      this.control(),
      ...data.map((chunk) => wholeOf(file, chunk)),
    ];
  }

  end(): Buffer {
    return chunkOf("IEND", Buffer.alloc(0));
  }

  /** fcTL: the whole canvas, drawn over what was there. */
  private control(): Buffer {
    const { width, height } = this.spec;
    const tail = Buffer.alloc(6);
    tail.writeUInt16BE(DELAY.numerator, 0);
    tail.writeUInt16BE(DELAY.denominator, 2);
    return chunkOf("fcTL", Buffer.concat([numbers([this.next(), width, height, 0, 0]), tail]));
  }

  /** An IDAT chunk of a later frame is an fdAT chunk here. */
  private moved(file: Bytes, chunk: Chunk): Buffer {
    return chunkOf("fdAT", Buffer.concat([numbers([this.next()]), dataOf(file, chunk)]));
  }

  private next(): number {
    this.sequence += 1;
    return this.sequence - 1;
  }
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([numbers([data.length]), body, numbers([crc32(body)])]);
}
