import { expect, test } from "vitest";
import { runChild } from "../../../src/render-child/run.ts";
import { childOptions, fixtureBlender, putJob } from "../../support/child.ts";
import { startGateway } from "../../support/gateway.ts";

test("a run that is told to end between a claim's commit and its answer gives the slot back", {
  timeout: 240_000,
}, async () => {
  const stop = new AbortController();
  const gateway = await startGateway({
    faultPoint: (name) => {
      if (name === "claim_after_commit") stop.abort("SIGTERM");
    },
  });
  await putJob(gateway, "honest");
  const worker = await gateway.registerWorker();
  const options = await childOptions(gateway, worker, { jobId: "shot", blender: fixtureBlender("honest") });
  const result = await runChild({ ...options, signal: stop.signal });
  expect(result).toMatchObject({ reason: "INTERRUPTED", fencing_token: 1 });
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "ready", fencing_token: 1 });
});
