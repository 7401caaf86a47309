import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { JoinReport } from "../../../contracts/documents/join-report.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { folderOf } from "../../unit/join/folder-of.ts";

const Named = z.strictObject({ evidence: z.string(), report: JoinReport });

/** A name that a file can have, but not with anything after it, as the one under which it is written has. */
const TOO_LONG = "x".repeat(250);

describe("a file that was asked for and cannot be written", () => {
  test.each([["--report"], ["--sarif"], ["--html"]])(
    "join verify %s says so before any work",
    async (flag) => {
      const folder = await folderOf();
      for (const path of [join(folder, "absent/file"), folder]) {
        const run = await runCli("join", ["verify", folder, flag, path]);
        expect([run.code, run.exit, run.stdout]).toEqual(["USAGE_FOLDER_UNWRITABLE", 2, ""]);
      }
      const late = await runCli("join", ["verify", folder, flag, join(folder, TOO_LONG)]);
      expect([late.code, late.exit]).toEqual(["OUTPUT_WRITE_FAILED", 3]);
    },
  );

  test.each([
    ["--report", "--html"],
    ["--html", "--sarif"],
    ["--out", "--report"],
    ["--policy", "--sarif"],
    ["--token-file", "--report"],
  ])("join verify %s and %s of one name are refused before any work", async (one, other) => {
    const [evidence, folder] = [await folderOf(), await temporaryFolder()];
    await mkdir(join(folder, "real"));
    await symlink(join(folder, "real"), join(folder, "link"));
    const [file, same] = [join(folder, "real/x"), join(folder, "link/x")];
    const run = await runCli("join", ["verify", evidence, one, file, other, same]);
    expect([run.code, run.exit, run.stdout, await readdir(join(folder, "real"))]).toEqual([
      "USAGE_ARGUMENT",
      2,
      "",
      [],
    ]);
  });

  test.each([["worker"], ["checker"]])(
    "%s add registers nobody for a token that would be lost",
    async (who) => {
      const folder = await temporaryFolder();
      const add = (file: string) =>
        runCli("render-handoff", [who, "add", "x", "--data", join(folder, "data"), "--token-file", file]);
      const run = await add(join(folder, "absent/token"));
      expect([run.code, run.exit]).toEqual(["USAGE_FOLDER_UNWRITABLE", 2]);
      expect(await readdir(folder)).toEqual([]);
      const late = await add(join(folder, TOO_LONG));
      expect([late.code, late.exit]).toEqual(["OUTPUT_WRITE_FAILED", 3]);
      expect(late.stderr).toMatch(/[wc]_[0-9a-f-]{36} is registered/);
    },
  );

  test("conformance run --report says so before anything is played, and why", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "there"), "");
    const run = (name: string) =>
      runCli("render-handoff", ["conformance", "run", "--report", join(folder, name)], {
        env: { TMPDIR: join(folder, "no-gateway-is-started") },
      });
    expect([(await run("absent/report")).code, (await run("there")).code]).toEqual([
      "USAGE_FOLDER_UNWRITABLE",
      "USAGE_OUTPUT_EXISTS",
    ]);
  });
});

describe("verdicts of join verify", () => {
  test("say which folder they are about where there are many, as text and as JSON", async () => {
    const folders = [await folderOf(), await folderOf({ late: (files) => files.delete("gateway.json") })];
    const cwd = dirname(folders[0] ?? "");
    const names = ["evidence", folders[1]];
    const text = await runCli("join", ["verify", ...folders], { cwd });
    expect(text.stdout.split("\n").filter((one) => one.endsWith(":"))).toEqual(names.map((one) => `${one}:`));
    const { stdout } = await runCli("join", ["verify", ...folders, "--json"], { cwd });
    const read = stdout
      .trimEnd()
      .split("\n")
      .map((one) => Named.parse(JSON.parse(one)));
    expect(read.map(({ evidence, report }) => [evidence, report.verdict])).toEqual([
      [names[0], "accepted"],
      [names[1], "undecided"],
    ]);
  });

  test("on one folder are the report itself, the same that --report writes", async () => {
    const report = join(await temporaryFolder(), "join-report.json");
    const { stdout } = await runCli("join", ["verify", await folderOf(), "--json", "--report", report]);
    expect(JSON.parse(await readFile(report, "utf8"))).toEqual(JoinReport.parse(JSON.parse(stdout)));
  });
});
