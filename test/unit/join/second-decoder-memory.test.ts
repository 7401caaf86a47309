import { expect, it, vi } from "vitest";
import { checkFrame } from "../../../src/frame/check-frame.ts";
import { secondOpinion } from "../../../src/join/decode/second-opinion.ts";
import { buildPng } from "../../support/png-build.ts";

vi.mock("../../../src/join/draw/second-decoder.ts", () => ({
  decodeAgain: () => {
    throw new RangeError("Array buffer allocation failed");
  },
}));

it("a second decoder without memory is the machine's fault: no finding about the frame", () => {
  const file = buildPng();
  const verdict = checkFrame(file, { expect: null });
  if (!verdict.ok) throw new Error("the good frame is refused");
  expect(() => secondOpinion(file, verdict.facts)).toThrow(RangeError);
});
