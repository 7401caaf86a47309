import { LastLayout } from "./last-layout.ts";

/** Little enough to stay in the processor's own memory. */
const WINDOW_BYTES = 128 * 1024;

/** What a thread has for one task after another. */
export interface Desk {
  /** The most that one frame's file may take. */
  readonly memoryBytes: number;
  /** Files are read through it. */
  readonly window: Buffer;
  readonly layout: LastLayout;
}

export const openDesk = (memoryBytes: number): Desk => ({
  memoryBytes,
  window: Buffer.allocUnsafeSlow(WINDOW_BYTES),
  layout: new LastLayout(),
});
