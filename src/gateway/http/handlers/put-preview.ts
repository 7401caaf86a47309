import { LIMITS } from "../../../../contracts/limits.ts";
import { HandoffError } from "../../../core/error.ts";
import { checkFrame } from "../../../frame/check-frame.ts";
import { putPreview as put } from "../../queue/put-preview.ts";
import { param } from "../call.ts";
import { fencingToken } from "../fencing-token.ts";
import { raw } from "../handler.ts";
import { workerOf } from "../worker-of.ts";

/** 200 without a body. The picture passes the gate of every frame: browsers decode what it lets through. */
export const putPreview = raw(async (call, png) => {
  const fence = fencingToken(call);
  const { frame } = call.query;
  if (fence === null || frame === undefined)
    throw new HandoffError("invalid_request_shape", "Fencing-Token, once, and frame are needed.");
  const taskId = param(call, "task_id");
  call.note({ task_id: taskId, fencing_token: fence });
  checkPreview(png);
  const lease = { taskId, workerId: workerOf(call), fence };
  await put(call.services.queue, lease, { frame: Number(frame), png });
  return { kind: "empty", status: 200 };
});

function checkPreview(png: Buffer): void {
  const side = LIMITS.previewSide;
  // before anything is inflated: as it says, it is small
  const small = png.length > 24 && png.readUInt32BE(16) <= side && png.readUInt32BE(20) <= side;
  if (!small) throw new HandoffError("preview_invalid", "It is too large, or no PNG.");
  const verdict = checkFrame(png, { expect: null });
  if (!verdict.ok) throw new HandoffError("preview_invalid", `${verdict.faults[0]?.code ?? "unknown"}.`);
  const { width, height, bitDepth, canonical } = verdict.facts;
  if (width > side || height > side || bitDepth !== 8 || !canonical)
    throw new HandoffError("preview_invalid", `${width} x ${height}, ${bitDepth} bits.`);
}
