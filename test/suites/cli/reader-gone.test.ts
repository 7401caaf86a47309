import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { bareEnvironment } from "../../support/bare-environment.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const BIN = join(import.meta.dirname, "../../../src/cli/bin/render-handoff.ts");

test("a gateway whose reader has gone stops in order, as after a signal", async () => {
  const data = join(await temporaryFolder(), "data");
  const gateway = spawn(
    process.execPath,
    [BIN, "gateway", "serve", "--data", data, "--port", "0", "--json"],
    {
      env: bareEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = once(gateway, "close");
  const [line] = await once(createInterface({ input: gateway.stdout }), "line");
  const { url } = JSON.parse(String(line));
  gateway.stdout.destroy();
  gateway.stderr.destroy();
  // each answer is a line of the log
  for (let tries = 0; tries < 200 && gateway.exitCode === null; tries += 1)
    await fetch(`${url}/healthz`).then(
      (answer) => answer.text(),
      () => "",
    );
  expect((await ended)[0]).toBe(0);
  expect(await readdir(data)).not.toContain("endpoint.json");
});
