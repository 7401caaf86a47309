import { expect, test } from "vitest";
import { KNOWN_SERIES, rulesOf } from "../../../src/blender/versions/known.ts";

test("EEVEE has its second name from 4.2 to 4.5 only", () => {
  const names = KNOWN_SERIES.map((rules) => [rules.series, rules.engines.EEVEE]);
  expect(names.filter(([, name]) => name === "BLENDER_EEVEE_NEXT").map(([series]) => series)).toEqual([
    "4.2",
    "4.3",
    "4.4",
    "4.5",
  ]);
});

test("from 5.0 on the media type comes first and the compositor is a node group", () => {
  expect(KNOWN_SERIES.filter((rules) => rules.media_type).map((rules) => rules.series)).toEqual([
    "5.0",
    "5.1",
  ]);
  expect(rulesOf("5.1.2")?.compositor).toBe("compositing_node_group");
  expect(rulesOf("4.5.3")?.compositor).toBe("node_tree");
});

test("a series that is not known has no rules, a longer number is not its prefix", () => {
  expect(rulesOf("2.93.0")).toBeUndefined();
  expect(rulesOf("3.40.1")).toBeUndefined();
  expect(rulesOf("3.4")?.series).toBe("3.4");
});
