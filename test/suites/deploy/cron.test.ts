import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary.ts";

/** The command of the crontab as cron hands it to the shell. */
const command = (): string =>
  (
    /^(?:\* ){5}(.*)$/m.exec(readFileSync("deploy/cron/render-handoff-dispatch", "utf8"))?.[1] ?? ""
  ).replaceAll("\\%", "%");

test("the crontab's minutes leave no heap of folders: what is older than three days goes, what is new stays", async () => {
  const home = await temporaryFolder();
  const bin = join(home, "bin");
  mkdirSync(bin);
  for (const [name, text] of [
    ["render-handoff", `printf '%s\\n' "$@" > "$HOME/asked"`],
    ["logger", "cat > /dev/null"],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const runs = join(home, ".local/state/render-handoff/dispatch");
  for (const name of ["old", "new"]) {
    mkdirSync(join(runs, name, "capture"), { recursive: true });
    writeFileSync(join(runs, name, "result.json"), "{}");
  }
  const threeDaysAgo = Date.now() / 1_000 - 3 * 86_400 - 60;
  utimesSync(join(runs, "old"), threeDaysAgo, threeDaysAgo);

  execFileSync("sh", ["-c", command()], { env: { HOME: home, PATH: `${bin}:/usr/bin:/bin` } });

  expect(readdirSync(runs)).toEqual(["new"]);
  const asked = readFileSync(join(home, "asked"), "utf8").split("\n");
  expect(asked.slice(0, 2)).toEqual(["dispatch", "run"]);
  const output = asked[asked.indexOf("--output") + 1] ?? "";
  expect(output.slice(runs.length)).toMatch(/^\/\d{8}T\d{6}Z$/);
});
