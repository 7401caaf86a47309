import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startGateway } from "../support/gateway.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("doctor tells each thing with its state and what to do: Blender and its build, disk, gateway, clock, token", async () => {
  const gateway = await startGateway();
  const folder = await temporaryFolder();
  const tokenFile = join(folder, "w.token");
  await writeFile(tokenFile, (await gateway.registerWorker()).token, { mode: 0o600 });
  const args = ["doctor", "--gateway", gateway.url, "--token-file", tokenFile, "--state", folder, "--json"];
  const run = await runCli("render-handoff", args);
  const { lines } = JSON.parse(run.stdout);
  const states = Object.fromEntries(
    lines.map((line: { subject: string; state: string }) => [line.subject, line.state]),
  );
  expect(states).toMatchObject({
    "Node.js": "ok",
    Blender: "ok",
    "Blender engines": "ok",
    "file system": "ok",
    gateway: "ok",
    clock: "ok",
    token: "ok",
  });
  expect(Object.keys(states)).toEqual(
    expect.arrayContaining(["Blender pin", "Blender denoiser", "containment bwrap", "disk"]),
  );
  for (const line of lines) if (line.state !== "ok") expect(line.action ?? line.detail).not.toBe("");
  expect(run.exit).toBe(0);
});
