import { releaseMemory } from "../../core/release-memory.ts";

/** More than this is not kept between frames. */
const MOST_KEPT_BYTES = 32 * 1024 * 1024;

/**
 * Memory for the file of one frame at a time. A thread's frames share it: fresh memory from the system costs
 * more than reading a file into it.
 */
export class Scratch {
  private kept = Buffer.alloc(0);

  /** Memory of that size, until the next one is asked for. */
  take(bytes: number): Buffer {
    if (bytes > this.kept.length) {
      releaseMemory(this.kept);
      this.kept = Buffer.allocUnsafeSlow(bytes);
    }
    return this.kept.subarray(0, bytes);
  }

  /** After a frame: an unusually large one leaves nothing behind. */
  rest(): void {
    if (this.kept.length <= MOST_KEPT_BYTES) return;
    releaseMemory(this.kept);
    this.kept = Buffer.alloc(0);
  }
}
