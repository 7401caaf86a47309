import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { folderOf } from "../../unit/join/folder-of.ts";

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
