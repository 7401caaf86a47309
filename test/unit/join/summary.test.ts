import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { sha256 } from "../../../fixtures/evidence-maker/digest.ts";
import { PEOPLE } from "../../../fixtures/evidence-maker/documents.ts";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { renderPage } from "../../../src/join/report/page/page.ts";
import { renderSummary } from "../../../src/join/report/summary.ts";
import { type VerifyOptions, verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();
const summaryOf = async (changes: Changes, options: Partial<VerifyOptions> = {}): Promise<string> => {
  const folder = await folderOf(changes);
  return renderSummary((await verifyEvidence({ folder, clock: systemClock, decoders, ...options })).report);
};
const lines = (text: string): string[] => text.trimEnd().split("\n");

describe("renderSummary", () => {
  it("has a line for the verdict, each slot, each frame and the anchors", async () => {
    const text = lines(await summaryOf({}));
    expect(text).toHaveLength(1 + 2 + 6 + 1);
    expect(text[0]).toMatch(/^ACCEPTED .*dusk/);
    expect(text[1]).toContain(PEOPLE.a.worker_uuid);
    expect(text[2]).toContain(PEOPLE.b.operator);
    expect(text[9]).toMatch(/^Unanchored/);
  });

  it("names the anchors that held", async () => {
    const expectJob = sha256(evidence().get("job.json") ?? Buffer.alloc(0));
    expect(lines(await summaryOf({}, { expectJob })).at(-1)).toMatch(/^Anchored: the job/);
    const expectGateway = PEOPLE.gateway;
    expect(lines(await summaryOf({}, { expectGateway })).at(-1)).toMatch(/^Anchored: the gateway/);
    expect(lines(await summaryOf({}, { expectJob, expectGateway })).at(-1)).toMatch(
      /^Anchored: job and gateway/,
    );
  });

  it("claims no anchor that failed: it says what was expected and what was there", async () => {
    const [expectJob, expectGateway] = ["e".repeat(64), PEOPLE.otherGateway];
    const job = sha256(evidence().get("job.json") ?? Buffer.alloc(0));
    const last = async (changes: Changes, options: Partial<VerifyOptions>): Promise<string> =>
      lines(await summaryOf(changes, options)).at(-1) ?? "";
    const wrong = await last({}, { expectJob });
    expect(wrong).toMatch(/^Not anchored/);
    for (const digest of [expectJob, job]) expect(wrong).toContain(digest);
    expect(await last({}, { expectJob: job, expectGateway })).toMatch(/^Not anchored.*Only the job/);
    for (const path of ["job.json", "gateway.json"]) {
      const text = await last({ late: (files) => files.delete(path) }, { expectJob, expectGateway });
      expect(text).toMatch(/^Not anchored.*was none that could be read/);
    }
  });

  it("nor does the page", async () => {
    const [expectJob, expectGateway] = ["e".repeat(64), PEOPLE.gateway];
    const pageOf = async (options: Partial<VerifyOptions>): Promise<string> => {
      const { report } = await verifyEvidence({
        folder: await folderOf(),
        clock: systemClock,
        decoders,
        ...options,
      });
      return renderPage({ report, pictures: new Map(), origin: { evidence: "e" }, beside: [] });
    };
    const wrong = await pageOf({ expectJob, expectGateway });
    expect(wrong).toContain(`<dd>not held: expected job <code>${expectJob}</code>, was <code>`);
    expect(wrong).toContain("only the gateway is the expected one</dd>");
    expect(await pageOf({ expectGateway })).toContain("<dd>the gateway is the expected one</dd>");
  });

  it("shows a finding with its code, its place, whose fault it is, and what was expected and found", async () => {
    const text = await summaryOf({ b: { manifest: (manifest) => (manifest.containment = "process-group") } });
    for (const part of ["REJECTED", "JOIN_CONTAINMENT_REFUSED", "slots/b/bundle.zip", "fault of slot b"])
      expect(text).toContain(part);
    expect(text).toMatch(/expected bwrap or unshare/);
    expect(text).toMatch(/found {4}process-group/);
  });

  it("has a line for each frame, also for those that failed, and says what failed", async () => {
    const text = await summaryOf({
      a: { frames: (frames) => frames[1]?.chunks.splice(-1) },
      b: {
        manifest: ({ frames }) => {
          for (const one of frames) if (one.frame === 210) one.bytes += 1;
        },
      },
    });
    const ofFrames = lines(text).filter((line) => /^ {2}frame_/.test(line));
    expect(ofFrames.map((line) => line.trim().split("  ")[0])).toEqual(
      [205, 206, 207, 208, 209, 210].map((frame) => `frame_0${frame}.png`),
    );
    expect(ofFrames[1]).toMatch(/slot a {2}not verified {2}PNG_IEND_MISSING$/);
    expect(ofFrames[5]).toMatch(/slot b {2}file .*JOIN_FRAME_DIGEST$/);
    expect(ofFrames.filter((line) => /[A-Z]_/.test(line))).toHaveLength(2);
  });

  it("lets no worker-made string reach the terminal as it is", async () => {
    const text = await summaryOf({
      gateway: (gateway) => {
        for (const worker of gateway.workers) worker.operator = "\u001b[2J\u202eevil\nACCEPTED";
      },
    });
    for (const hostile of ["\u001b", "\u202e"]) expect(text).not.toContain(hostile);
    expect(text).toContain("\\u{1b}");
    expect(lines(text)).toHaveLength(10);
  });

  it("is coloured where it may be, and has the same words everywhere", async () => {
    const folder = await folderOf({
      b: { manifest: (manifest) => (manifest.containment = "process-group") },
    });
    const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
    const [plain, coloured] = [renderSummary(report), renderSummary(report, { colour: true })];
    expect(plain).not.toContain("\u001b");
    expect(coloured.startsWith("\u001b[1m\u001b[31mREJECTED")).toBe(true);
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  it("says that there is no job to speak of, and stops after forty findings", async () => {
    const text = await summaryOf({ late: (files) => files.delete("job.json") });
    expect(text).toContain("no readable job");
    const { report } = await verifyEvidence({ folder: await folderOf(), clock: systemClock, decoders });
    const one = {
      code: "JOIN_SEQUENCE",
      severity: "reject",
      blame: "both",
      slot: null,
      frame: null,
    } as const;
    const findings = Array.from({ length: 50 }, () => ({ ...one, path: "p", expected: null, actual: null }));
    expect(renderSummary({ ...report, findings })).toContain("10 more");
  });
});
