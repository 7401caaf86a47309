import { expect, test } from "vitest";
import { CONTAINMENTS } from "../../../contracts/documents/policy.ts";
import { FAULT_POINTS } from "../../../src/render-child/fault-points.ts";
import { allCases, sampleCases } from "./cases.ts";
import { pairsOf } from "./pair-cover.ts";

test("the sample holds every pair of point, signal, containment and who runs again", () => {
  const sampled = new Set(sampleCases().flatMap(pairsOf));
  const all = new Set(allCases().flatMap(pairsOf));
  expect(all.size).toBe(13 * 4 + 13 * 3 + 13 * 2 + 4 * 3 + 4 * 2 + 3 * 2);
  expect([...all].filter((pair) => !sampled.has(pair))).toEqual([]);
});

test("the sample holds SIGKILL at every point in every containment, no case twice, and is always the same", () => {
  const cases = sampleCases();
  for (const point of FAULT_POINTS)
    for (const containment of CONTAINMENTS)
      expect(cases).toContainEqual(expect.objectContaining({ point, containment, signal: "SIGKILL" }));
  expect(new Set(cases.map((one) => Object.values(one).join())).size).toBe(cases.length);
  expect(cases.length).toBeLessThan(allCases().length / 3);
  expect(sampleCases()).toEqual(cases);
});
