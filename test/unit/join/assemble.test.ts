import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { sha256 } from "../../../fixtures/evidence-maker/digest.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { assemble, readBack } from "../../../src/join/assemble.ts";
import { drawPage } from "../../../src/join/report/draw-page.ts";
import { type EvidenceVerdict, verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();

const FRAMES = [205, 206, 207, 208, 209, 210].map((frame) => `frame_0${frame}.png`);

async function prepared(
  changes: Changes = {},
): Promise<{ verdict: EvidenceVerdict; out: string; folder: string }> {
  const folder = await folderOf(changes);
  const verdict = await verifyEvidence({ folder, clock: systemClock, decoders });
  return { verdict, out: join(await temporaryFolder(), "out"), folder };
}
const codeOf = async (action: Promise<unknown>): Promise<string> => {
  try {
    await action;
  } catch (thrown) {
    if (thrown instanceof HandoffError) return thrown.code;
    throw thrown;
  }
  return "none";
};

describe("assemble", () => {
  it("writes the frames, their sums, the report, the page, the sheet and the preview, and nothing else", async () => {
    const { verdict, out } = await prepared();
    const assembled = await assemble({ verdict, out, clock: systemClock });
    const names = [
      "SHA256SUMS",
      "contact-sheet.png",
      ...FRAMES,
      "join-report.json",
      "preview.png",
      "report.html",
    ];
    expect(await readdir(out)).toEqual(names);
    expect(assembled.ok && assembled.files).toEqual(names);
    expect(await readdir(dirname(out))).toEqual(["out"]);
    const { stdout } = await promisify(execFile)("sha256sum", ["-c", "SHA256SUMS"], { cwd: out });
    expect(stdout.trim().split("\n")).toEqual(FRAMES.map((name) => `${name}: OK`));
    for (const frame of verdict.report.frames)
      expect(sha256(await readFile(join(out, frame.member)))).toBe(frame.sha256);
    expect(JSON.parse(await readFile(join(out, "join-report.json"), "utf8"))).toEqual(verdict.report);
    const sheet = PNG.sync.read(await readFile(join(out, "contact-sheet.png")));
    expect([sheet.width, sheet.height]).toEqual([1056, 496]);
  });

  it("ends at a signal with its reason, and leaves nothing, nor does a page", async () => {
    const { verdict, out } = await prepared();
    const controller = new AbortController();
    const reason = new Error("told to stop");
    const { signal } = controller;
    const making = [
      assemble({ verdict, out, clock: systemClock, signal }),
      drawPage({ verdict, origin: { evidence: null }, clock: systemClock, signal }),
    ].map((one) => one.then(() => "made").catch((thrown: unknown) => thrown));
    while ((await readdir(dirname(out))).length === 0) await new Promise(setImmediate);
    controller.abort(reason);
    expect(await Promise.all(making)).toEqual([reason, reason]);
    expect(await readdir(dirname(out))).toEqual([]);
  });

  it.each([
    ["16-bit grey", (job) => (job.render.output = { format: "PNG", color_mode: "BW", bit_depth: 16 })],
    ["8-bit RGB", (job) => (job.render.output.color_mode = "RGB")],
    ["16-bit RGBA", (job) => (job.render.output.bit_depth = 16)],
  ] satisfies [string, Changes["job"]][])("sees the same pixels in pngjs for %s", async (_name, job) => {
    const { verdict, out } = await prepared({ job });
    expect((await assemble({ verdict, out, clock: systemClock })).ok).toBe(true);
  });

  it("makes the same sums, sheet and preview every time", async () => {
    const [one, two] = [await prepared(), await prepared()];
    for (const { verdict, out } of [one, two]) await assemble({ verdict, out, clock: systemClock });
    for (const name of ["SHA256SUMS", "contact-sheet.png", "preview.png"])
      expect(await readFile(join(one.out, name))).toEqual(await readFile(join(two.out, name)));
  });

  it("leaves nothing at the output path when the evidence was not accepted", async () => {
    const { verdict, out } = await prepared({ a: { manifest: (manifest) => (manifest.slot = "b") } });
    const assembled = await assemble({ verdict, out, clock: systemClock });
    expect([assembled.ok, assembled.report.verdict]).toEqual([false, "rejected"]);
    expect(await readdir(dirname(out))).toEqual([]);
  });

  it("refuses an output path that is there, be it an empty folder", async () => {
    const { verdict, out } = await prepared();
    await mkdir(out);
    expect(await codeOf(assemble({ verdict, out, clock: systemClock }))).toBe("USAGE_OUTPUT_EXISTS");
    expect(await readdir(out)).toEqual([]);
  });

  it("writes no frame of a bundle that was changed after it had been verified", async () => {
    const { verdict, out, folder } = await prepared();
    const path = join(folder, "slots/b/bundle.zip");
    const bytes = await readFile(path);
    bytes[300] = (bytes[300] ?? 0) ^ 1;
    await writeFile(path, bytes);
    expect(await codeOf(assemble({ verdict, out, clock: systemClock }))).toBe("JOIN_ASSEMBLE_FAILED");
    expect(await readdir(dirname(out))).toEqual([]);
  });

  it("rejects when the second decoder does not see the verified pixels", async () => {
    const { verdict, out } = await prepared();
    if (verdict.accepted === null) throw new Error("not accepted");
    const frames = verdict.accepted.frames.map((frame) =>
      frame.frame === 209 ? { ...frame, pixels_sha256: "e".repeat(64) } : frame,
    );
    const other = { ...verdict, accepted: { ...verdict.accepted, frames } };
    const assembled = await assemble({ verdict: other, out, clock: systemClock });
    expect(assembled.ok).toBe(false);
    expect(assembled.report.verdict).toBe("rejected");
    expect(assembled.report.findings.map((one) => [one.code, one.slot, one.frame])).toEqual([
      ["PNG_DECODERS_DISAGREE", "b", 209],
    ]);
    expect(await readdir(dirname(out))).toEqual([]);
  });

  it("says what the disk said, and leaves nothing, when the folder cannot be made", async () => {
    const { verdict, out, folder } = await prepared();
    const below = join(folder, "job.json", "out");
    expect(await codeOf(assemble({ verdict, out: below, clock: systemClock }))).toBe("JOIN_ASSEMBLE_FAILED");
    expect(await readdir(dirname(out))).toEqual([]);
  });
});

describe("reading the product back", () => {
  it("finds a file that is missing, one too many and one with other bytes", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "one"), "1");
    await readBack(folder, new Map([["one", sha256(Buffer.from("1"))]]));
    const expected = [
      new Map([["one", sha256(Buffer.from("2"))]]),
      new Map<string, string>(),
      new Map([
        ["one", sha256(Buffer.from("1"))],
        ["two", sha256(Buffer.from("2"))],
      ]),
    ];
    for (const one of expected) expect(await codeOf(readBack(folder, one))).toBe("JOIN_READBACK_FAILED");
  });
});
