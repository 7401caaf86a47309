import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identifyBlender } from "../../src/blender/identify.ts";
import { systemClock } from "../../src/core/clock.ts";
import { fixtureBlender } from "../support/child.ts";
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

test("doctor looks at the Blender that a run would take, not at another one on the caller's PATH", async () => {
  const folder = await temporaryFolder();
  await symlink(fixtureBlender("honest"), join(folder, "blender"));
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const run = await runCli("render-handoff", ["doctor", "--state", folder, "--json"], { env });
  const { lines } = JSON.parse(run.stdout);
  const told = lines.find((line: { subject: string }) => line.subject === "Blender").detail;
  const taken = await identifyBlender({ path: null, cacheFolder: null, clock: systemClock });
  expect(told).toContain(`${taken.path} sha256 ${taken.sha256}`);
});
