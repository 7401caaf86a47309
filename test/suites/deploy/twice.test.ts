import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ChildResult } from "../../../contracts/documents/child-result.ts";
import { identifyBlender } from "../../../src/blender/identify.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { bareEnvironment } from "../../support/bare-environment.ts";
import { fixtureBlender, putJob } from "../../support/child.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { temporaryFolder } from "../../support/temporary.ts";

// A cluster may start a Job twice, and drains a node with SIGTERM and then SIGKILL. Slots are taken, and results
// accepted, once all the same: by the lock of the state folder on one volume, by the fence on two.
const BIN = join(import.meta.dirname, "../../../src/cli/bin/render-child.ts");

interface Pod {
  readonly process: ChildProcess;
  /** What it printed, or null when it was killed before it could. */
  readonly result: Promise<ChildResult | null>;
}

/** One identity with a job for it: how its pods are started, each on a state folder; Blender waits for `goOn`. */
async function worker(gateway: TestGateway, limits: { lease_seconds?: number } = {}) {
  const home = await temporaryFolder();
  const blender = join(home, "blender/blender");
  // laid out as an official archive, so that its folder, and the file `go` in it, is seen from inside
  await mkdir(join(dirname(blender), "3.4/scripts"), { recursive: true });
  const honest = await readFile(fixtureBlender("honest"), "utf8");
  const waits = `import time
go = os.path.join(os.path.dirname(os.path.abspath(__file__)), "go")
while "--render-frame" in sys.argv and not os.path.exists(go):
    time.sleep(0.05)
`;
  await writeFile(blender, honest.replace('if "--render-frame" in', `${waits}if "--render-frame" in`), {
    mode: 0o755,
  });
  await putJob(gateway, await identifyBlender({ path: blender, cacheFolder: null, clock: systemClock }), {
    limits,
  });
  const goOn = (): Promise<void> => writeFile(join(dirname(blender), "go"), "");
  const token = join(home, "token");
  await writeFile(token, (await gateway.registerWorker()).token, { mode: 0o600 });
  const pod = (state: string): Pod => {
    const flags = ["--slot", "a", "--job", "shot", "--gateway", gateway.url, "--token-file", token];
    const more = ["--state", state, "--blender", blender, "--trust-scenes", "--json"];
    const child = spawn(process.execPath, [BIN, ...flags, ...more], {
      env: { ...bareEnvironment(), HOME: home, LANG: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    child.stdout.on("data", (data) => (said += String(data)));
    const closed = once(child, "close");
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await closed;
    });
    return {
      process: child,
      result: closed.then(() => (said.endsWith("\n") ? ChildResult.parse(JSON.parse(said)) : null)),
    };
  };
  return { home, pod, goOn };
}

const taskOf = async (gateway: TestGateway): Promise<Record<string, unknown>> =>
  (await gateway.call("/q/task/shot.a")).json();

async function untilLeased(gateway: TestGateway): Promise<void> {
  while ((await taskOf(gateway))["state"] !== "leased")
    await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The slot has one result, and it is the only version there ever was. */
async function acceptedOnce(gateway: TestGateway): Promise<void> {
  expect(await taskOf(gateway)).toMatchObject({ state: "done", version: 1 });
  const envelope = (await gateway.call("/q/object/shot.a")).json();
  expect(envelope).toMatchObject({ version_num: 1, version_count: 1 });
}

test("a Job that is started twice on one volume: the second run is busy, and the result is accepted once", async () => {
  const gateway = await startGateway();
  const { home, pod, goOn } = await worker(gateway);
  const state = join(home, "state");
  const first = pod(state);
  await untilLeased(gateway);
  expect(await pod(state).result).toMatchObject({ outcome: "busy" });
  await goOn();
  expect(await first.result).toMatchObject({ outcome: "completed", fencing_token: 1 });
  await acceptedOnce(gateway);
}, 240_000);

test("a Job that is started twice on two volumes: one identity, two folders, one lease and one result", async () => {
  const gateway = await startGateway();
  const { home, pod, goOn } = await worker(gateway);
  const first = pod(join(home, "one"));
  await untilLeased(gateway);
  expect(await pod(join(home, "two")).result).toMatchObject({ outcome: "deferred", fencing_token: null });
  await goOn();
  expect(await first.result).toMatchObject({ outcome: "completed", fencing_token: 1 });
  await acceptedOnce(gateway);
}, 240_000);

test("a volume that was copied under a claim: both go on under one fence, and one result is accepted", async () => {
  const gateway = await startGateway();
  const { home, pod, goOn } = await worker(gateway);
  const lost = pod(join(home, "one"));
  await untilLeased(gateway);
  lost.process.kill("SIGKILL");
  await lost.result;
  await cp(join(home, "one"), join(home, "two"), { recursive: true });
  const both = [pod(join(home, "one")), pod(join(home, "two"))];
  await goOn();
  const results = await Promise.all(both.map(({ result }) => result));
  expect(results.map((one) => one?.outcome)).toContain("completed");
  await acceptedOnce(gateway);
}, 240_000);

test("a node that is drained: SIGTERM, SIGKILL, and the pod's successor hands in the one result", async () => {
  const gateway = await startGateway();
  const { home, pod, goOn } = await worker(gateway, { lease_seconds: 10 });
  const state = join(home, "state");
  const drained = pod(state);
  await untilLeased(gateway);
  drained.process.kill("SIGTERM");
  drained.process.kill("SIGKILL");
  await drained.result;
  await goOn();
  let successor = await pod(state).result;
  // what the first run could not give back ends with its lease
  for (let tries = 0; successor?.outcome === "deferred" && tries < 30; tries += 1)
    successor = await pod(state).result;
  expect(successor).toMatchObject({ outcome: "completed" });
  await acceptedOnce(gateway);
}, 240_000);
