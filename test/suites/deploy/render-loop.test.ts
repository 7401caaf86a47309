import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bareEnvironment } from "../../support/bare-environment.ts";
import { fixtureBlender, putJob } from "../../support/child.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const BIN = join(import.meta.dirname, "../../../src/cli/bin/render-handoff.ts");
const LOOP = "deploy/container/render-loop";

/** The loop as in a worker's pod: its state on a volume, its token in a file of mode 0600. */
async function started(
  gateway: TestGateway,
  blender: string,
  { env = {}, commands = {} }: { env?: Record<string, string>; commands?: Record<string, string> } = {},
) {
  const home = await temporaryFolder();
  const bin = join(home, "bin");
  await mkdir(bin);
  const all = { "render-handoff": `exec "${process.execPath}" "${BIN}" "$@"`, ...commands };
  for (const [name, text] of Object.entries(all)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const token = join(home, "token");
  await writeFile(token, (await gateway.registerWorker()).token, { mode: 0o600 });
  const flags = ["--token-file", token, "--state", join(home, "state"), "--blender", fixtureBlender(blender)];
  const loop = spawn("sh", [LOOP, "a", ...flags, "--trust-scenes", "--json"], {
    env: {
      ...bareEnvironment(),
      PATH: `${bin}:${process.env["PATH"]}`,
      HOME: home,
      TMPDIR: home,
      RENDER_HANDOFF_GATEWAY: gateway.url,
      RENDER_LOOP_SECONDS: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(loop, "close");
  onTestFinished(async () => {
    if (loop.exitCode === null) loop.kill("SIGTERM");
    await ended;
  });
  let said = "";
  for (const stream of [loop.stdout, loop.stderr]) stream.on("data", (data) => (said += String(data)));
  const until = async (what: RegExp): Promise<void> => {
    while (!what.test(said)) {
      if (loop.exitCode !== null) throw new Error(`the loop ended: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { loop, home, until, said: () => said, ended };
}

const stateOf = async (gateway: TestGateway): Promise<unknown> =>
  (await gateway.call("/q/task/shot.a")).json();

test("one run after another on one state folder, until the stop file of a pod that is going down is there", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const stop = join(await temporaryFolder(), "stop");
  const { loop, home, until, ended, said } = await started(gateway, "honest", {
    env: { RENDER_LOOP_STOP: stop },
  });
  await until(/"outcome":"completed"[\s\S]*"outcome":"no_due_job"/);
  await writeFile(stop, "");
  await ended;
  expect(loop.exitCode, said()).toBe(0);
  expect(await stateOf(gateway)).toMatchObject({ state: "done" });
  expect(await readdir(join(home, "state", "runs"))).toEqual([]);
}, 240_000);

test("SIGTERM while Blender runs: Blender is gone, the slot is given back, the loop ends", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "sleeps-for-ever");
  const { loop, ended, said } = await started(gateway, "sleeps-for-ever");
  while (!JSON.stringify(await stateOf(gateway)).includes('"phase":"render"'))
    await new Promise((r) => setTimeout(r, 50));
  loop.kill("SIGTERM");
  await ended;
  expect(said()).toMatch(/INTERRUPTED/);
  expect(await stateOf(gateway)).toMatchObject({ state: "ready" });
}, 240_000);

test("SIGTERM just before a run is started: that run is told too, and the loop ends", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "sleeps-for-ever");
  const rm = 'kill -TERM "$PPID"; exec /bin/rm "$@"';
  const { ended, said } = await started(gateway, "sleeps-for-ever", { commands: { rm } });
  await ended;
  expect(said()).not.toMatch(/RENDER_WATCHDOG/);
  expect(await stateOf(gateway)).toMatchObject({ state: "ready" });
}, 240_000);
