import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runChild } from "../../../src/render-child/run.ts";
import { childOptions, putJob } from "../../support/child.ts";
import { startGateway } from "../../support/gateway.ts";

test("two workers hand in the two slots of a job", async () => {
  const gateway = await startGateway();
  const job = await putJob(gateway, "honest");
  const results = [];
  for (const slot of ["a", "b"] as const) {
    const options = await childOptions(gateway, await gateway.registerWorker(slot), { slot });
    const result = await runChild(options);
    expect(result).toMatchObject({ outcome: "completed", reason: null, slot, fencing_token: 1 });
    expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
    results.push(result);
  }
  expect(results[0]?.bundle_sha256).not.toBe(results[1]?.bundle_sha256);
  const task = await gateway.call(`/q/task/${job.job_id}.a`);
  expect(task.json()).toMatchObject({ state: "done", claims: 1 });
});
