import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { CATALOGUE, isCode } from "../../../contracts/catalogue.ts";
import type { CodeEntry } from "../../../contracts/codes/entry.ts";
import { JOIN_CODES } from "../../../contracts/codes/join.ts";
import { PNG_CODES } from "../../../contracts/codes/png.ts";
import { ZIP_CODES } from "../../../contracts/codes/zip.ts";
import { LARGE_CASES } from "../../../fixtures/evidence-maker/cases/large.ts";
import { CASES } from "../../../fixtures/evidence-maker/cases.ts";
import { allEvidence, writeEvidence } from "../../../fixtures/make-evidence.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { openDecoders } from "../../../src/join/decode/open-decoders.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const ROOT = join(import.meta.dirname, "../../../fixtures/evidence");
const TESTS = join(import.meta.dirname, "../..");
const ALL = [...CASES, ...LARGE_CASES];
const VERIFIER = join(import.meta.dirname, "../../../fixtures/verify_evidence.py");
const VERDICTS = { accept: "accepted", reject: "rejected", undecided: "undecided" } as const;

/** Finding codes to which no evidence leads: faults of machines and readers, and of files without a job. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  JOIN_DECODE_TIMEOUT: "unit/join/decode-faults",
  JOIN_DECODE_CRASHED: "unit/join/decode-faults",
  JOIN_DECODE_MEMORY: "unit/join/decode-faults",
  JOIN_FILE_UNREADABLE: "suites/inspect/inspect",
  JOIN_KIND_UNKNOWN: "suites/inspect/inspect",
  PNG_DECODERS_DISAGREE: "unit/join/second-decoder",
  ZIP_READERS_DISAGREE: "unit/bundle/second-reader",
  ZIP_UNREADABLE: "unit/bundle/read",
};

const kindOf = (folder: string): string => folder.split("/")[0] ?? "";
const codeOf = (folder: string): string => folder.split("/")[1] ?? "";

describe("evidence folders", () => {
  it("each gets the verdict and exactly the codes that its folder is there for", async () => {
    const decoders = openDecoders({}, systemClock);
    const wrong: unknown[] = [];
    const large = join(await temporaryFolder(), "large");
    writeEvidence(large, LARGE_CASES);
    for (const one of ALL) {
      const { folder, codes } = one;
      const root = LARGE_CASES.includes(one) ? large : ROOT;
      const call = { folder: join(root, folder), clock: systemClock, decoders };
      // what is accepted has pixels that pngjs must see as well
      const { report } = await verifyEvidence({ ...call, secondDecoder: kindOf(folder) === "accept" });
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
    const folders = ALL.filter((one) => kindOf(one.folder) !== "accept");
    const wrong = folders.filter(({ folder }) => {
      const code = codeOf(folder);
      if (!isCode(code)) return true;
      const entry = CATALOGUE[code];
      // a warning has a reject case where something else rejects with it
      return entry.kind !== "finding" || (entry.severity !== kindOf(folder) && entry.severity !== "warning");
    });
    expect(wrong).toEqual([]);
    const covered = new Set([...ALL.flatMap((one) => one.codes), ...Object.keys(ELSEWHERE)]);
    const findings = Object.entries({ ...JOIN_CODES, ...ZIP_CODES, ...PNG_CODES })
      .filter(([, entry]) => entry.kind === "finding")
      .map(([code]) => code);
    expect(findings.filter((code) => !covered.has(code))).toEqual([]);
    expect(Object.keys(ELSEWHERE).filter((code) => !findings.includes(code))).toEqual([]);
  });

  it("and every finding code has a folder of its name, or a test that is named here and has it", () => {
    // a warning alone leaves its case among the accepted ones
    const named = new Set(
      ALL.flatMap(({ folder, codes }) => (kindOf(folder) === "accept" ? codes : [codeOf(folder)])),
    );
    const findings = [JOIN_CODES, ZIP_CODES, PNG_CODES].flatMap((codes) =>
      Object.entries<CodeEntry>(codes).flatMap(([code, { kind }]) => (kind === "finding" ? [code] : [])),
    );
    const tested = ([code, file]: [string, string]): boolean =>
      readFileSync(join(TESTS, `${file}.test.ts`), "utf8").includes(`"${code}"`);
    expect(Object.entries(ELSEWHERE).filter((one) => !tested(one))).toEqual([]);
    const homeless = findings.filter((code) => !named.has(code) && !(code in ELSEWHERE));
    expect(homeless).toEqual([]);
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
