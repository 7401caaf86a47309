import { type FSWatcher, mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { markedProcesses } from "../../src/blender/sweep.ts";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/digest.ts";
import { type ChildOptions, runChild } from "../../src/render-child/run.ts";
import { childOptions } from "../support/child.ts";
import { startChildProcess } from "../support/child-process.ts";
import { submitDemoJob } from "../support/demo-job.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";

/** Large enough that a frame takes Blender a while to write. */
const LARGE = { width: 1600, height: 900 };
/** No machine is too busy for these. */
const LIMITS = { watchdog_seconds: 1_000, run_seconds: 1_200 };
const IEND = Buffer.from("IEND");
const processesOf = ({ stateFolder }: ChildOptions) =>
  markedProcesses(`rh-${sha256(stateFolder).slice(0, 16)}-`);

/** A job of real frames, a worker's options for it, and a run as its own process. */
async function started(size: typeof LARGE) {
  const gateway = await startGatewayProcess();
  const { job } = await submitDemoJob(gateway, { texture: null, ...size, limits: LIMITS });
  const options = await childOptions(gateway, await gateway.registerWorker(), {
    blender: null,
    trustScenes: false,
    threads: 2,
  });
  mkdirSync(join(options.stateFolder, "runs"), { recursive: true });
  const run = startChildProcess(options);
  onTestFinished(() => run.kill("SIGKILL"));
  return { gateway, job, options, run };
}

/** The rerun is accepted under the same fence, with whole frames and nothing left of the first. */
async function acceptedAgain({ gateway, job, options }: Awaited<ReturnType<typeof started>>): Promise<void> {
  const result = await runChild(options);
  expect(result).toMatchObject({ outcome: "completed", reason: null, reused: false });
  expect(processesOf(options)).toEqual([]);
  expect(await readdir(join(options.stateFolder, "runs"))).toEqual([]);
  const task = await gateway.call(`/q/task/${job.job_id}.a`);
  expect(task.json()).toMatchObject({ state: "done", version: 1 });
}

test("a run that is killed while Blender renders is taken up again and accepted", {
  timeout: 1_800_000,
}, async () => {
  const all = await started({ width: 640, height: 360 });
  await all.run.reaches(all.run.line("render"));
  all.run.kill("SIGKILL");
  expect((await all.run.ended).signal).toBe("SIGKILL");
  await acceptedAgain(all);
});

test("a run that is killed while Blender writes a frame leaves half a frame, and is taken up again and accepted", {
  timeout: 1_800_000,
}, async () => {
  let all = await started(LARGE);
  let half = await stoppedInSave(all);
  // on a busy machine a frame can be written whole before anybody looks
  for (let tries = 1; half === null && tries < 4; tries += 1) {
    all = await started(LARGE);
    half = await stoppedInSave(all);
  }
  if (half === null) throw new Error("no save was caught in the middle");
  all.run.kill("SIGKILL");
  expect((await all.run.ended).signal).toBe("SIGKILL");
  expect(readFileSync(half).subarray(-8, -4).equals(IEND)).toBe(false);
  await acceptedAgain(all);
});

/** Null where the file or the process is gone by the time that it is looked at: the run may end at any moment. */
function attempted<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Stops Blender with SIGSTOP as soon as a frame is there that is not whole; its path, null if the run ends before. */
async function stoppedInSave({ options, run }: Awaited<ReturnType<typeof started>>): Promise<string | null> {
  const runs = join(options.stateFolder, "runs");
  let over = false;
  void run.ended.then(() => {
    over = true;
  });
  let output: string | null = null;
  while (output === null) {
    if (over) return null;
    const [own] = attempted(() => readdirSync(runs)) ?? [];
    if (own !== undefined && attempted(() => readdirSync(join(runs, own)))?.includes("output"))
      output = join(runs, own, "output");
    else await systemClock.sleep(20);
  }
  const folder = output;
  const signal = (name: NodeJS.Signals): void => {
    for (const one of processesOf(options)) attempted(() => process.kill(one.pid, name));
  };
  return new Promise((resolve) => {
    const onChange = (): void => {
      signal("SIGSTOP");
      const half = (attempted(() => readdirSync(folder)) ?? [])
        .map((name) => join(folder, name))
        .find((path) => attempted(() => readFileSync(path).subarray(-8, -4).equals(IEND)) === false);
      if (half === undefined) signal("SIGCONT");
      else {
        watcher?.close();
        resolve(half);
      }
    };
    const watcher: FSWatcher | null = attempted(() => watch(folder, onChange));
    void run.ended.then(() => {
      watcher?.close();
      resolve(null);
    });
  });
}
