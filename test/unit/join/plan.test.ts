import { describe, expect, it } from "vitest";
import { jcs } from "../../../fixtures/evidence-maker/digest.ts";
import { goodJob } from "../../../fixtures/evidence-maker/documents.ts";
import { guessPlan, planOf } from "../../../src/join/decode/plan.ts";

const changed = (change: (job: ReturnType<typeof goodJob>) => void): Buffer => {
  const job = goodJob();
  change(job);
  return jcs(job);
};

describe("the guess at a plan", () => {
  it("of a good job is the plan of the checked job", () => {
    expect(guessPlan(jcs(goodJob()))).toEqual(planOf(goodJob()));
    expect(planOf(goodJob()).slots.b).toEqual({
      frames: [208, 209, 210],
      members: ["frame_0208.png", "frame_0209.png", "frame_0210.png", "manifest.json"],
    });
  });

  it.each([
    ["no JSON", Buffer.from("{")],
    ["no object", Buffer.from("[]")],
    ["null", Buffer.from("null")],
    ["no slots", Buffer.from('{"render":{},"limits":{}}')],
    ["a text for a number", Buffer.from(jcs(goodJob()).toString().replace('"width":32', '"width":"32"'))],
    ["a range of a billion", changed(({ slots }) => (slots[1].last = 1_000_000_000))],
    [
      "a third slot of two hundred million frames",
      changed((job) => job.slots.push({ ...job.slots[0], last: 2e8 })),
    ],
    ["a gap", changed(({ slots }) => (slots[1].first = 209))],
    ["a range backwards", changed(({ slots }) => (slots[0].first = 300))],
    ["a name of the prototype", Buffer.from(jcs(goodJob()).toString().replace('"RGBA"', '"toString"'))],
  ])("is none for %s", (_what, bytes) => {
    expect(guessPlan(bytes)).toBeNull();
  });
});
