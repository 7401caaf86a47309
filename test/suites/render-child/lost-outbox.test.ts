import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CATALOGUE } from "../../../contracts/catalogue.ts";
import { runChild } from "../../../src/render-child/run.ts";
import { childOptions, putJob } from "../../support/child.ts";
import { behindProxy } from "../../support/fault-proxy.ts";

/** A run whose submit does not get through: its work waits in the outbox. */
async function waiting() {
  let broken = true;
  const { gateway, proxy } = await behindProxy(({ path }) =>
    broken && path === "/q/submit" ? "lose" : "pass",
  );
  await putJob(gateway, "honest", { limits: { lease_seconds: 600 } });
  const options = await childOptions(proxy, await gateway.registerWorker());
  expect(await runChild(options)).toMatchObject({ outcome: "failed" });
  const [run = ""] = readdirSync(join(options.stateFolder, "runs"));
  broken = false;
  return { options, gateway, folder: join(options.stateFolder, "runs", run) };
}

test("work whose body is gone blocks with STATE_OUTBOX_LOST until an operator gives it up; then runs go on", async () => {
  const { options, folder } = await waiting();
  rmSync(join(folder, "submit.json"));
  for (let times = 0; times < 2; times += 1)
    expect(await runChild(options)).toMatchObject({ outcome: "failed", reason: "STATE_OUTBOX_LOST" });
  expect(CATALOGUE.STATE_OUTBOX_LOST.action).toContain("--discard-lost");
  expect(await runChild({ ...options, drainOnly: true, discardLost: true })).toMatchObject({
    outcome: "no_due_job",
  });
  expect(existsSync(folder)).toBe(false);
  expect(await runChild({ ...options, drainOnly: true })).toMatchObject({ outcome: "no_due_job" });
});

test("an operator's word gives up lost work only: what can still be handed in is", async () => {
  const { options } = await waiting();
  expect(await runChild({ ...options, drainOnly: true, discardLost: true })).toMatchObject({
    outcome: "completed",
    task_id: "shot.a",
  });
});

test("a scene in the cache that was not used for a month goes at the next render, a used one is dated anew", async () => {
  const { gateway, proxy } = await behindProxy(() => "pass");
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  const cache = join(options.stateFolder, "scenes");
  await runChild(options);
  const stale = join(cache, "0".repeat(64));
  writeFileSync(stale, "an old scene");
  const long = options.clock.wallSeconds() - 40 * 86_400;
  utimesSync(stale, long, long);
  await putJob(gateway, "honest", { jobId: "again" });
  expect(await runChild({ ...options, jobId: "again" })).toMatchObject({ outcome: "completed" });
  expect(readdirSync(cache)).toHaveLength(1);
});
