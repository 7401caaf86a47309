import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { HandoffError } from "../../../src/core/error.ts";
import { lockDataFolder } from "../../../src/gateway/data-lock.ts";
import { putJob } from "../../support/child.ts";
import { startGateway } from "../../support/gateway.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test.each([
  [["status"]],
  [["status", "--watch"]],
  [["worker", "list"]],
  [["worker", "revoke", "w_00000000-0000-4000-a000-000000000000"]],
  [["checker", "list"]],
  [["checker", "revoke", "c_00000000-0000-4000-a000-000000000000"]],
  [["reopen", "shot.a", "--reason", "JOIN_FRAME_DIGEST"]],
  [["gateway", "gc"]],
])("%j makes no gateway of a folder that is none", async (args) => {
  const data = join(await temporaryFolder(), "typo");
  const run = await runCli("render-handoff", [...args, "--data", data]);
  expect([run.code, run.exit, run.stdout]).toEqual(["GATEWAY_DATA_INVALID", 4, ""]);
  expect(existsSync(data)).toBe(false);
});

test("`status --watch` of a folder leaves it to whoever wants to serve it", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  await gateway.close();
  const bin = join(import.meta.dirname, "../../../src/cli/bin/render-handoff.ts");
  const watch = spawn(process.execPath, [bin, "status", "--watch", "--data", gateway.dataFolder], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void watch.kill("SIGKILL"));
  const said = text(watch.stderr);
  const ended = once(watch, "close");
  await once(watch.stdout, "data");
  watch.stdout.resume();
  // free between the looks
  await expect
    .poll(
      () => {
        try {
          lockDataFolder(gateway.dataFolder).release();
          return "free";
        } catch (thrown) {
          return thrown instanceof HandoffError ? thrown.code : String(thrown);
        }
      },
      { timeout: 60_000 },
    )
    .toBe("free");
  watch.kill("SIGTERM");
  expect(await ended, await said).toEqual([143, null]);
});

test("a gateway process whose first line is not where it serves is ended", async () => {
  const preload = join(await temporaryFolder(), "preload.mjs");
  await writeFile(preload, 'if (process.argv.includes("serve")) process.stdout.write("hello\\n");\n');
  const run = await runCli("render-handoff", ["conformance", "run"], {
    env: { NODE_OPTIONS: `--import ${preload}` },
  });
  expect([run.code, run.exit]).toEqual(["GATEWAY_UNREACHABLE", 3]); // that nothing is left is seen by the leak check
});
