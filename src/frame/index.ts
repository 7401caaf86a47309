/** `render-handoff/frame`: the strict gate for one PNG frame, and its canonical form. Pure: no files, no threads. */
export type { Fault } from "../core/fault.ts";
export { canonicalFrame } from "./canonical-frame.ts";
export {
  type CheckOptions,
  checkFrame,
  type FrameFacts,
  type FrameSpec,
  type FrameVerdict,
  type RowSink,
} from "./check-frame.ts";
