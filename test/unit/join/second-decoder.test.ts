import { expect, it } from "vitest";
import { canonicalPngs, otherPngs } from "../../../fixtures/png/accepted.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { checkFrame } from "../../../src/frame/check-frame.ts";
import { secondOpinion } from "../../../src/join/decode/second-opinion.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { buildPng } from "../../support/png-build.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();

it("a second decoder agrees about good evidence", async () => {
  const folder = await folderOf();
  const { report } = await verifyEvidence({ folder, clock: systemClock, decoders, secondDecoder: true });
  expect([report.verdict, report.frames.length]).toEqual(["accepted", 6]);
});

it.each([...canonicalPngs(), ...otherPngs()])("a second decoder agrees about $name", ({ bytes }) => {
  const verdict = checkFrame(bytes, { expect: null });
  if (!verdict.ok) throw new Error("a good frame is refused");
  expect(secondOpinion(bytes, verdict.facts)).toEqual([]);
});

it("a second decoder that sees other pixels, or none, is a finding", () => {
  const file = buildPng();
  const verdict = checkFrame(file, { expect: null });
  if (!verdict.ok) throw new Error("the good frame is refused");
  const { facts } = verdict;
  expect(secondOpinion(file, facts)).toEqual([]);
  const other = { ...facts, pixelsSha256: "0".repeat(64) };
  expect(secondOpinion(file, other).map((one) => one.code)).toEqual(["PNG_DECODERS_DISAGREE"]);
  expect(secondOpinion(file.subarray(0, 9), facts).map((one) => one.code)).toEqual(["PNG_DECODERS_DISAGREE"]);
});
