import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { Inspection } from "../../../contracts/documents/inspection.ts";
import { type Finding, JoinReport } from "../../../contracts/documents/join-report.ts";
import { LARGE_CASES } from "../../../fixtures/evidence-maker/cases/large.ts";
import { CASES } from "../../../fixtures/evidence-maker/cases.ts";
import { writeEvidence } from "../../../fixtures/make-evidence.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { checkCommands } from "../../../src/join/report/reproduce.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { runCli } from "../../support/run-cli.ts";
import { sharedDecoders } from "../../support/shared-decoders.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const ROOT = join(import.meta.dirname, "../../../fixtures/evidence");
const decoders = sharedDecoders();

/** A finding, the command that shows it, and where that runs: what comes before it has run there already. */
interface Shown {
  readonly of: string;
  readonly one: Finding;
  readonly command: string;
  readonly cwd: string;
}

async function allShown(): Promise<Shown[]> {
  const scratch = await temporaryFolder();
  const shown: Shown[] = [];
  const large = join(scratch, "large");
  writeEvidence(large, LARGE_CASES);
  for (const one of [...CASES, ...LARGE_CASES]) {
    const { folder } = one;
    const evidence = join(LARGE_CASES.includes(one) ? large : ROOT, folder);
    const { report, given } = await verifyEvidence({ folder: evidence, clock: systemClock, decoders });
    for (const [at, one] of report.findings.entries()) {
      const cwd = join(scratch, folder, String(at));
      await mkdir(cwd, { recursive: true });
      const commands = checkCommands(one, report, { evidence, given });
      for (const before of commands.slice(0, -1)) spawnSync("sh", ["-c", before], { cwd });
      shown.push({ of: `${folder} ${one.code}`, one, command: commands.at(-1) ?? "", cwd });
    }
  }
  return shown;
}

const named = (command: string): string => command.split(" ")[2] ?? "";

/** One process for all files, and one for all folders: what each command would have said. */
async function inspected(shown: readonly Shown[]): Promise<(one: Shown) => Inspection | undefined> {
  const pathOf = ({ command, cwd }: Shown): string => resolve(cwd, named(command));
  const paths = [...new Set(shown.map(pathOf))];
  const { stdout } = await runCli("join", ["inspect", ...paths, "--json"]);
  const read = stdout.trimEnd().split("\n");
  const all = new Map(read.map((line, at) => [paths[at], Inspection.parse(JSON.parse(line))]));
  expect(read.length).toBe(paths.length);
  return (one) => all.get(pathOf(one));
}

async function verified(shown: readonly Shown[]): Promise<(one: Shown) => JoinReport | undefined> {
  const folders = [...new Set(shown.map(({ command }) => named(command)))];
  const { stdout } = await runCli("join", ["verify", ...folders, "--json"], { cwd: ROOT });
  const Line = z.strictObject({ evidence: z.string(), report: JoinReport });
  const read = stdout.trimEnd().split("\n");
  const lines = read.map((line) => Line.parse(JSON.parse(line)));
  const all = new Map(lines.map(({ evidence, report }) => [resolve(ROOT, evidence), report]));
  return ({ command }) => all.get(named(command));
}

/** What a command of the system shows: the digest or the size that the finding found, or a difference. */
function showsIt({ one, command, cwd }: Shown): boolean {
  const { stdout, status } = spawnSync("sh", ["-c", command], { cwd, encoding: "utf8" });
  if (command.startsWith("diff ")) return status === 1;
  return status === 0 && stdout.split(" ")[0]?.trim() === one.actual && one.actual !== one.expected;
}

test("the command beside each finding of every case shows the very same code, or what it found", async () => {
  const shown = await allShown();
  const begins = (start: string) => shown.filter(({ command }) => command.startsWith(start));
  const [inspect, verify] = [begins("join inspect "), begins("join verify ")];
  // what the two calls below leave out must not be there
  expect(verify.filter(({ command }) => command.split(" ").length !== 3)).toEqual([]);
  const [inspection, report] = [await inspected(inspect), await verified(verify)];
  const wrong = shown.filter((shows) => {
    const { one } = shows;
    if (verify.includes(shows)) return !report(shows)?.findings.some(({ code }) => code === one.code);
    if (!inspect.includes(shows)) return !showsIt(shows);
    const seen = inspection(shows);
    if (one.code === "JOIN_FRAME_DIGEST") return seen?.frames[0]?.pixels_sha256 !== one.actual;
    return !seen?.findings.some(({ code }) => code === one.code);
  });
  expect(wrong.map(({ of, command }) => `${of}: ${command}`)).toEqual([]);
  for (const kind of ["join inspect ", "join verify ", "sha256sum ", "wc -c ", "diff ", "unzip -p "])
    expect(begins(kind).length, kind).toBeGreaterThan(0);
});
