import { describe, expect, it } from "vitest";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import { fault } from "../../../src/core/fault.ts";
import { boundFindings } from "../../../src/join/bound-findings.ts";
import { fairShare } from "../../../src/join/fair-share.ts";
import { FaultTally } from "../../../src/join/fault-tally.ts";
import { finding } from "../../../src/join/finding.ts";

describe("a fair share", () => {
  it.each([
    [[3, 4], 10, 10],
    [[2, 50, 50], 20, 9],
    [[50, 50, 50], 2, 1],
    [[], 5, 5],
  ])("of %j in room for %i is %i", (counts, most, share) => {
    expect(fairShare(counts, most)).toBe(share);
  });
});

describe("the findings of a report", () => {
  const many = (frames: number, each: number): Finding[] =>
    Array.from({ length: frames * each }, (_, at) =>
      finding("PNG_CRC", {
        slot: "a",
        frame: Math.floor(at / each),
        path: `slots/a/bundle.zip#frame_${Math.floor(at / each)}.png/IDAT@${at}`,
      }),
    );
  const rare = finding("PNG_ADLER", { slot: "b", frame: 7, path: "slots/b/bundle.zip#x" });

  it("are a thousand and those that say how many more, however many there were, and none that is rare is missing", () => {
    const bound = boundFindings([...many(2_000, 100), rare]);
    expect(bound).toHaveLength(1_001);
    expect(bound).toContain(rare);
    const more = { code: "PNG_CRC", severity: "reject", slot: "a", frame: null, path: "slots/a/bundle.zip" };
    expect(bound.at(-1)).toMatchObject({ ...more, actual: "199001 more" });
  });

  it("name every frame rather than all that is wrong with the first ones", () => {
    const bound = boundFindings([...many(300, 100), rare]);
    expect(new Set(bound.map((one) => one.frame)).size).toBe(301);
    expect(bound.length).toBeLessThanOrEqual(1_001);
  });

  it("are all of them where they are few", () => {
    const few = many(10, 50);
    expect(boundFindings(few)).toEqual(few);
  });
});

describe("a tally of faults", () => {
  const parts = Array.from({ length: 5_000 }, (_, at) => ({
    at,
    faults: [fault("PNG_CRC", `${at} first`), fault("PNG_CRC", `${at} second`)],
  }));

  it("has the same first thousand in whatever order they come, and counts the rest", () => {
    const [forth, back] = [new FaultTally(), new FaultTally()];
    for (const { at, faults } of parts) forth.add(at, faults);
    for (const { at, faults } of parts.toReversed()) back.add(at, faults);
    forth.add(4, [fault("PNG_ADLER", "rare")]);
    back.add(4, [fault("PNG_ADLER", "rare")]);
    const faults = forth.faults();
    expect(back.faults()).toEqual(faults);
    expect(faults).toHaveLength(1_001);
    expect(faults[1]?.where).toBe("0 second");
    expect(faults.map((one) => one.code)).toContain("PNG_ADLER");
    expect(faults.at(-1)).toEqual(fault("PNG_CRC", "", { actual: "9001 more" }));
  });
});
