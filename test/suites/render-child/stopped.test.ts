import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { markedProcesses } from "../../../src/blender/sweep.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { type ChildOptions, runChild } from "../../../src/render-child/run.ts";
import { childOptions, fixtureBlender, putJob } from "../../support/child.ts";
import { startChildProcess } from "../../support/child-process.ts";
import type { TestGateway, TestWorker } from "../../support/gateway.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { toldBlender } from "../../support/told-blender.ts";

const LEASE_SECONDS = 8;
const TIMEOUT = 600_000;
/** As the command's own: a gateway that asks for 5 seconds under load must not end a run. */
const PATIENCE = { jobId: "shot", maxWaitSeconds: 30 } as const;
const task = async (gateway: TestGateway) => (await gateway.call("/q/task/shot.a")).json();
const processesOf = ({ stateFolder }: ChildOptions) =>
  markedProcesses(`rh-${sha256(stateFolder).slice(0, 16)}-`);

/** A run that stops itself with SIGSTOP where it is told to, once its lease is over. */
async function stoppedRun(gateway: TestGateway, worker: TestWorker, at: string) {
  const blender = fixtureBlender("stops-midway");
  const options = await childOptions(gateway, worker, { ...PATIENCE, blender });
  const folder = await temporaryFolder();
  await mkdir(join(folder, "blender"));
  const told = await toldBlender(join(folder, "blender"), at);
  onTestFinished(() => told.close());
  const run = startChildProcess({ ...options, blender: told.path }, { hold: at, how: "stop" });
  onTestFinished(() => run.kill("SIGKILL"));
  if (at === "during_render") {
    await run.reaches(told.stopped);
    run.kill("SIGSTOP");
  } else await run.reaches(run.line(`at ${at}`));
  while ((await task(gateway))["state"] !== "ready") await systemClock.sleep(100);
  return { run, options, told };
}

test.each(["during_render", "after_check", "after_outbox", "after_upload"])(
  "a run that is stopped at %s past its lease says LEASE_LOST when it goes on, and the other worker's result stands",
  { timeout: TIMEOUT },
  async (at) => {
    const gateway = await startGatewayProcess();
    await putJob(gateway, "stops-midway", { limits: { lease_seconds: LEASE_SECONDS } });
    const { run, options, told } = await stoppedRun(gateway, await gateway.registerWorker("one"), at);

    const second = await gateway.registerWorker("two");
    const other = await childOptions(gateway, second, PATIENCE);
    const free = await toldBlender(join(await temporaryFolder(), "blender"), "");
    onTestFinished(() => free.close());
    const won = await runChild({ ...other, blender: free.path });
    expect(won).toMatchObject({ outcome: "completed", fencing_token: 2 });
    const receipt = (await gateway.call("/q/receipt/shot.a")).bytes;

    run.kill("SIGCONT");
    const end = await run.ended;
    expect(end.result).toMatchObject({ outcome: "failed", reason: "LEASE_LOST", fencing_token: 1 });
    expect(end.exit).toBe(3);
    expect(processesOf(options)).toEqual([]);

    // what it had finished can never be handed in, and is cleared away
    expect((await runChild({ ...options, blender: told.path })).outcome).toBe("no_due_job");
    expect(await readdir(join(options.stateFolder, "runs"))).toEqual([]);
    expect((await gateway.call("/q/receipt/shot.a")).bytes.equals(receipt)).toBe(true);
    expect(await task(gateway)).toMatchObject({ state: "done", worker_id: second.workerUuid });
  },
);

test("two runs of one slot with two state folders share nothing, and the one that lost its lease ends its own Blender alone", {
  timeout: TIMEOUT,
}, async () => {
  const gateway = await startGatewayProcess();
  await putJob(gateway, "stops-midway", { limits: { lease_seconds: LEASE_SECONDS } });
  const worker = await gateway.registerWorker();
  const first = await stoppedRun(gateway, worker, "during_render");

  const told = await toldBlender(join(await temporaryFolder(), "blender"), "during_render");
  onTestFinished(() => told.close());
  const options = await childOptions(gateway, worker, { ...PATIENCE, blender: told.path });
  const second = startChildProcess(options);
  onTestFinished(() => second.kill("SIGKILL"));
  await second.reaches(told.stopped);
  const both = [first.options, options].map(processesOf);
  expect(both.map((one) => one.length > 0)).toEqual([true, true]);

  first.run.kill("SIGCONT");
  expect((await first.run.ended).result).toMatchObject({ reason: "LEASE_LOST", fencing_token: 1 });
  expect(processesOf(first.options)).toEqual([]);
  expect(processesOf(options).length).toBeGreaterThan(0);

  await told.goOn();
  expect((await second.ended).result).toMatchObject({ outcome: "completed", fencing_token: 2 });
  expect((await task(gateway))["claims"]).toBe(2);
});
