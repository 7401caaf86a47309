import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Inspection } from "../../../contracts/documents/inspection.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { type DecodeSettings, openDecoders } from "../../../src/join/decode/open-decoders.ts";
import { inspectFile } from "../../../src/join/inspect.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { buildPng, pngChunk } from "../../support/png-build.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { buildZip, member } from "../../support/zip-build.ts";
import { folderOf } from "./folder-of.ts";

const fake = (name: string): URL => new URL(`./fakes/${name}.ts`, import.meta.url);
const file = buildPng();

async function inspect(name: string, bytes: Buffer, settings: DecodeSettings): Promise<Inspection> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, bytes);
  const decoders = openDecoders({ threads: 1, ...settings }, systemClock);
  onTestFinished(() => decoders.close());
  return inspectFile({ path, frame: null, members: null }, decoders);
}
const codesOf = ({ findings }: Inspection): string[] => findings.map((one) => one.code);

describe("an inspection", () => {
  it.each([
    ["never-ready", "JOIN_DECODE_TIMEOUT", { startMs: 500 }],
    ["exits", "JOIN_DECODE_CRASHED", {}],
    ["throws", "JOIN_DECODE_CRASHED", {}],
    ["hoards", "JOIN_DECODE_MEMORY", { heapMegabytes: 24 }],
    ["no-memory", "JOIN_DECODE_MEMORY", {}],
  ])("is undecided when its decoder is one that %s: %s", async (name, code, settings) => {
    const one = await inspect("a.png", file, { entry: fake(name), ...settings });
    expect([one.verdict, codesOf(one)]).toEqual(["undecided", [code]]);
  });

  it("is undecided about a frame whose file takes more memory than there is, also in a bundle", async () => {
    const memoryBytes = 2 * file.length; // as much as the small one takes, packed and unpacked
    const large = buildPng({
      header: { width: 20, height: 20, bitDepth: 8, colorType: 6, compression: 0, filter: 0, interlace: 0 },
    });
    const alone = await inspect("a.png", large, { memoryBytes: large.length - 1 });
    expect([alone.verdict, codesOf(alone)]).toEqual(["undecided", ["JOIN_DECODE_MEMORY"]]);
    const zip = buildZip([member("a.png", { content: large }), member("b.png", { content: file })]);
    const packed = await inspect("a.zip", zip, { memoryBytes });
    expect([packed.verdict, packed.findings.map((one) => [one.code, one.path])]).toEqual([
      "undecided",
      [["JOIN_DECODE_MEMORY", "a.png"]],
    ]);
    expect(packed.frames.map((one) => one.path)).toEqual(["b.png"]);
  });
});

describe("an inspection of a bundle", () => {
  const three = buildZip(["a.png", "b.png", "c.png"].map((name) => member(name, { content: file })));

  it("names the member that its decoder comes to no end with, and knows of the others", async () => {
    const one = await inspect("a.zip", three, { entry: fake("dies-on-second") });
    expect(one.verdict).toBe("undecided");
    expect(one.findings.map((found) => [found.code, found.path])).toEqual([["JOIN_DECODE_CRASHED", "b.png"]]);
    expect(one.frames.map((found) => found.path)).toEqual(["a.png", "c.png"]);
  });

  it("says a thousand things of it and how many more there are", async () => {
    const strays = Array.from({ length: 120 }, () => pngChunk("abCd"));
    const content = buildPng({ before: strays });
    const zip = buildZip(
      Array.from({ length: 500 }, (_, at) => member(`${String(at).padStart(3, "0")}.png`, { content })),
    );
    const { verdict, findings, frames } = await inspect("a.zip", zip, {});
    expect(verdict).toBe("ok");
    expect(frames).toHaveLength(500);
    expect(findings).toHaveLength(1_001);
    expect(findings[0]?.path).toBe(`000.png/abCd@33`);
    expect(findings.filter((found) => found.code === "PNG_NOT_CANONICAL")).toHaveLength(500);
    expect(findings.at(-1)).toMatchObject({ code: "PNG_CHUNK_DROPPED", path: "", actual: "49500 more" });
  });
});

describe("a verdict", () => {
  it("is undecided where a frame's file takes more memory than there is", async () => {
    const { report } = await verifyEvidence({
      folder: await folderOf(),
      clock: systemClock,
      decode: { memoryBytes: 100 },
    });
    expect(report.verdict).toBe("undecided");
    expect(new Set(report.findings.map((one) => one.code))).toEqual(new Set(["JOIN_DECODE_MEMORY"]));
  });
});
