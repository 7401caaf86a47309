import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import type { DecodeSettings } from "../../../src/join/decode/open-decoders.ts";
import { exitOfReport } from "../../../src/join/report/exit-of-report.ts";
import { type EvidenceVerdict, verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { folderOf } from "./folder-of.ts";

const fake = (name: string): URL => new URL(`./fakes/${name}.ts`, import.meta.url);
const verdictWith = async (decode: DecodeSettings): Promise<EvidenceVerdict> =>
  verifyEvidence({ folder: await folderOf(), clock: systemClock, decode });

describe("a decoder that fails", () => {
  it.each([
    { name: "stuck-on-frames", startMs: 20_000, deadlineMs: 8_000, code: "JOIN_DECODE_TIMEOUT", exit: 3 },
    { name: "never-ready", startMs: 500, deadlineMs: 20_000, code: "JOIN_DECODE_TIMEOUT", exit: 3 },
    { name: "exits", startMs: 20_000, deadlineMs: 20_000, code: "JOIN_DECODE_CRASHED", exit: 4 },
    { name: "throws", startMs: 20_000, deadlineMs: 20_000, code: "JOIN_DECODE_CRASHED", exit: 4 },
    { name: "hoards", startMs: 20_000, deadlineMs: 20_000, code: "JOIN_DECODE_MEMORY", exit: 4 },
  ])(
    "because it $name is undecided with $code, never a rejection",
    async ({ name, code, exit, ...times }) => {
      const { report, accepted } = await verdictWith({ entry: fake(name), ...times, heapMegabytes: 24 });
      expect(report.verdict).toBe("undecided");
      expect(new Set(report.findings.map((one) => one.code))).toEqual(new Set([code]));
      expect(exitOfReport(report)).toBe(exit);
      expect(accepted).toBeNull();
    },
  );

  it("on one frame leaves the verdict about the others complete", async () => {
    const { report } = await verdictWith({ entry: fake("stuck-on-frames"), deadlineMs: 8_000 });
    expect(report.findings.map((one) => [one.slot, one.frame])).toEqual([["b", 209]]);
    expect(report.frames.map((one) => one.frame)).toEqual([205, 206, 207, 208, 210]);
  });
});
