import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { CATALOGUE, isCode } from "../../../contracts/catalogue.ts";
import { JOIN_CODES } from "../../../contracts/codes/join.ts";
import { PNG_CODES } from "../../../contracts/codes/png.ts";
import { ZIP_CODES } from "../../../contracts/codes/zip.ts";
import { CASES } from "../../../fixtures/evidence-maker/cases.ts";
import { allEvidence } from "../../../fixtures/make-evidence.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { openDecoders } from "../../../src/join/decode/open-decoders.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";

const ROOT = join(import.meta.dirname, "../../../fixtures/evidence");
const VERIFIER = join(import.meta.dirname, "../../../fixtures/verify_evidence.py");
const VERDICTS = { accept: "accepted", reject: "rejected", undecided: "undecided" } as const;

/** Finding codes that no folder of 30 KB can lead to; the tests named here do. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  JOIN_DECODE_TIMEOUT: "test/unit/join/decode-faults",
  JOIN_DECODE_CRASHED: "test/unit/join/decode-faults",
  JOIN_DECODE_MEMORY: "test/unit/join/decode-faults",
  JOIN_FILE_UNREADABLE: "test/suites/inspect",
  JOIN_KIND_UNKNOWN: "test/suites/inspect",
  PNG_CHUNK_COUNT: "test/unit/frame",
  PNG_DECODERS_DISAGREE: "test/unit/join/assemble",
  ZIP_DIRECTORY_TOO_LARGE: "test/unit/bundle",
  ZIP_READERS_DISAGREE: "test/unit/bundle",
  ZIP_UNREADABLE: "test/unit/bundle",
};

const kindOf = (folder: string): string => folder.split("/")[0] ?? "";
const codeOf = (folder: string): string => folder.split("/")[1] ?? "";

describe("evidence folders", () => {
  it("each gets the verdict and exactly the codes that its folder is there for", async () => {
    const decoders = openDecoders({}, systemClock);
    const wrong: unknown[] = [];
    for (const { folder, codes } of CASES) {
      const { report } = await verifyEvidence({ folder: join(ROOT, folder), clock: systemClock, decoders });
      const found = [...new Set(report.findings.map((one) => one.code))].sort();
      const verdict = Object.entries(VERDICTS).find(([kind]) => kind === kindOf(folder))?.[1];
      if (report.verdict !== verdict || found.join() !== codes.join())
        wrong.push({ folder, verdict: report.verdict, found, expected: codes });
    }
    await decoders.close();
    expect(wrong).toEqual([]);
  });

  it("are what the script makes, no file more and none less", () => {
    const made = allEvidence();
    const there = readdirSync(ROOT, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => relative(ROOT, join(one.parentPath, one.name)).replaceAll("\\", "/"));
    expect(there.sort()).toEqual([...made.keys()].sort());
    const changed = [...made].filter(([path, bytes]) => !bytes.equals(readFileSync(join(ROOT, path))));
    expect(
      changed.map(([path]) => path),
      "run: node fixtures/make-evidence.ts",
    ).toEqual([]);
  });

  it("stay small: under 30 KB a case and 7 MB together", () => {
    const sizes = new Map<string, number>();
    for (const [path, bytes] of allEvidence()) {
      const folder = CASES.find((one) => path.startsWith(`${one.folder}/`))?.folder ?? "";
      sizes.set(folder, (sizes.get(folder) ?? 0) + bytes.length);
    }
    expect(Math.max(...sizes.values())).toBeLessThan(30_000);
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(7_000_000);
  });

  it("and the catalogue know the same codes, with the same severity", () => {
    const folders = CASES.filter((one) => kindOf(one.folder) !== "accept");
    const wrong = folders.filter(({ folder }) => {
      const code = codeOf(folder);
      if (!isCode(code)) return true;
      const entry = CATALOGUE[code];
      // a warning has a reject case where something else rejects with it
      return entry.kind !== "finding" || (entry.severity !== kindOf(folder) && entry.severity !== "warning");
    });
    expect(wrong).toEqual([]);
    const covered = new Set([...CASES.flatMap((one) => one.codes), ...Object.keys(ELSEWHERE)]);
    const findings = Object.entries({ ...JOIN_CODES, ...ZIP_CODES, ...PNG_CODES })
      .filter(([, entry]) => entry.kind === "finding")
      .map(([code]) => code);
    expect(findings.filter((code) => !covered.has(code))).toEqual([]);
    expect(Object.keys(ELSEWHERE).filter((code) => !findings.includes(code))).toEqual([]);
  });

  it("agree with a verifier that shares no code with this project", async () => {
    const judged = new Map<string, boolean>();
    const args = [VERIFIER, ...CASES.map(({ folder }) => folder)];
    const { stdout } = await promisify(execFile)("python3", args, { cwd: ROOT, maxBuffer: 1 << 24 }).catch(
      (failed: { stdout: string }) => failed, // exit 1: some are bad, as they should be
    );
    for (const line of stdout.trimEnd().split("\n")) {
      const folder = line.slice(0, line.indexOf(":"));
      judged.set(folder, line === `${folder}: good`);
    }
    const wrong = CASES.filter(
      ({ folder, unseen }) => judged.get(folder) !== (kindOf(folder) === "accept" || unseen),
    );
    expect(wrong.map((one) => one.folder)).toEqual([]);
    expect(judged.size).toBe(CASES.length);
  });

  it("that are accepted make the independent verifier end with exit code 0", async () => {
    const good = CASES.filter(({ folder }) => kindOf(folder) === "accept").map(({ folder }) => folder);
    const { stderr } = await promisify(execFile)("python3", [VERIFIER, ...good], { cwd: ROOT });
    expect(stderr).toBe("");
  });
});
