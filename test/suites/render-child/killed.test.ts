import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { markedProcesses } from "../../../src/blender/sweep.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { type ChildOptions, runChild } from "../../../src/render-child/run.ts";
import { childOptions, fixtureBlender, putJob } from "../../support/child.ts";
import { startGateway } from "../../support/gateway.ts";

const MAIN = fileURLToPath(new URL("../../support/child-main.ts", import.meta.url));

/** Runs a child as its own process and ends it with SIGKILL when it comes to the phase. */
async function killedAt(phase: string, options: ChildOptions): Promise<void> {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout }))
    if (line === phase) child.kill("SIGKILL");
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
}

test.each(["start", "render", "check", "upload"])(
  "a run that is killed at %s is taken up under the same lease by the next, once and with nothing left",
  async (phase) => {
    const gateway = await startGateway();
    await putJob(gateway, "takes-its-time", { policy: { allow_containment: ["process-group"] } });
    const worker = await gateway.registerWorker();
    const options = await childOptions(gateway, worker, { blender: fixtureBlender("takes-its-time") });
    await killedAt(phase, options);
    const result = await runChild(options);
    expect(result).toMatchObject({ outcome: "completed", fencing_token: 1 });
    expect(markedProcesses(`rh-${sha256(options.stateFolder).slice(0, 16)}-`)).toEqual([]);
    expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
    expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "done", claims: 1 });
  },
);
