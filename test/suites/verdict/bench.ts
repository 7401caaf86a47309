import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { handInBadFrame } from "../../../src/cli/demo/bad-worker.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { openGatewayClient } from "../../../src/gateway-client/client.ts";
import { memoryHostGate } from "../../../src/gateway-client/host-gate.ts";
import { runChild } from "../../../src/render-child/run.ts";
import { childOptions, fixtureBlender, putJob } from "../../support/child.ts";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { type CliRun, runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

export interface Court {
  readonly gateway: TestGateway;
  readonly folder: string;
  /** A token file of a new checker, and the administrator's. */
  readonly checker: string;
  readonly admin: string;
  good(slot: "a" | "b"): Promise<void>;
  bad(slot: "a" | "b"): Promise<TestWorker>;
  verify(...more: string[]): Promise<CliRun>;
  /** State and version of a slot. */
  slot(slot: "a" | "b"): Promise<[unknown, unknown]>;
}

/** A gateway with a job for the tiny Blender, workers that render it, and `join verify` as a process. */
export async function openCourt(): Promise<Court> {
  const gateway = await startGateway();
  const folder = await temporaryFolder();
  await putJob(gateway, "honest");
  const checker = join(folder, "checker.token");
  await writeFile(checker, (await gateway.registerChecker()).token, { mode: 0o600 });
  return {
    gateway,
    folder,
    checker,
    admin: gateway.adminTokenFile,
    good: async (slot) => {
      const options = await childOptions(gateway, await gateway.registerWorker(), { slot, jobId: "shot" });
      expect(await runChild(options)).toMatchObject({ outcome: "completed" });
    },
    bad: (slot) => spoil(gateway, slot),
    verify: (...more) =>
      runCli("join", ["verify", "--job", "shot", "--gateway", gateway.url, "--token-file", checker, ...more]),
    slot: async (slot) => {
      const task = (await gateway.call(`/q/task/shot.${slot}`)).json();
      return [task["state"], task["version"]];
    },
  };
}

async function spoil(gateway: TestGateway, slot: "a" | "b"): Promise<TestWorker> {
  const worker = await gateway.registerWorker("bad");
  const client = openGatewayClient({
    url: gateway.url,
    token: worker.token,
    allowInsecure: false,
    clock: systemClock,
    logger: silentLogger,
    hosts: memoryHostGate(),
  });
  const folder = join(await temporaryFolder(), "bad");
  await mkdir(folder);
  try {
    await handInBadFrame({
      client,
      workerUuid: worker.workerUuid,
      jobId: "shot",
      slot,
      folder,
      blender: fixtureBlender("honest"),
      searchPath: undefined,
      trustScenes: true,
      threads: 1,
      signal: new AbortController().signal,
      clock: systemClock,
    });
  } finally {
    await client.close();
  }
  return worker;
}
