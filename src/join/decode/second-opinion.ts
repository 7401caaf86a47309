import { type Fault, fault } from "../../core/fault.ts";
import type { FrameFacts } from "../../frame/spec.ts";
import { decodeAgain } from "../draw/second-decoder.ts";
import { isAllocationFailure } from "./allocation-failure.ts";

/** PNG rule 7: pngjs's pixels of a frame that passed our gate, held against ours; throws where there is no memory for them. */
export function secondOpinion(bytes: Buffer, facts: FrameFacts): Fault[] {
  const seen = pixelsOf(bytes, facts);
  if (seen === facts.pixelsSha256) return [];
  return [fault("PNG_DECODERS_DISAGREE", "pixels", { expected: facts.pixelsSha256, actual: seen })];
}

function pixelsOf(bytes: Buffer, facts: FrameFacts): string {
  try {
    return decodeAgain(bytes, facts).pixelsSha256;
  } catch (thrown) {
    if (isAllocationFailure(thrown)) throw thrown;
    return thrown instanceof Error ? thrown.message : "no pixels";
  }
}
