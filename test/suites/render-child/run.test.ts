import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeRunLock } from "../../../src/gateway-client/run-lock.ts";
import { exitCodeOf, runChild } from "../../../src/render-child/run.ts";
import { childOptions, exchangesOf, fixtureBlender, putJob } from "../../support/child.ts";
import { startGateway } from "../../support/gateway.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("two workers hand in the two slots of a job, and nothing of a run is left", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  for (const slot of ["a", "b"] as const) {
    const options = await childOptions(gateway, await gateway.registerWorker(slot), { slot });
    const result = await runChild(options);
    expect(result).toMatchObject({
      outcome: "completed",
      reason: null,
      slot,
      fencing_token: 1,
      reused: false,
    });
    expect(exitCodeOf(result)).toBe(0);
    expect(result.transport_attempts).toMatchObject({ upload: 1, submit: 1 });
    expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
    expect((await gateway.call(`/q/task/shot.${slot}`)).json()).toMatchObject({ state: "done", claims: 1 });
  }
});

test("without a job the oldest claimable one of the slot is taken", async () => {
  const gateway = await startGateway();
  for (const jobId of ["first", "second"]) await putJob(gateway, "honest", { jobId });
  const options = await childOptions(gateway, await gateway.registerWorker());
  expect(await runChild(options)).toMatchObject({ outcome: "completed", task_id: "first.a" });
  expect(await runChild(options)).toMatchObject({ outcome: "completed", task_id: "second.a" });
  expect(await runChild(options)).toMatchObject({ outcome: "no_due_job", reason: null });
});

test("a job that this machine may not render does not stand before one that it may", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest", { jobId: "first", blender: { version: "3.4.0" } });
  await putJob(gateway, "honest", { jobId: "second" });
  const options = await childOptions(gateway, await gateway.registerWorker());
  expect(await runChild(options)).toMatchObject({ outcome: "completed", task_id: "second.a" });
});

test("more jobs than a page that this machine may not render do not stand before one that it may", async () => {
  const gateway = await startGateway();
  for (let number = 1; number <= 51; number += 1)
    await putJob(gateway, "honest", { jobId: `other-${number}`, blender: { version: "3.4.0" } });
  await putJob(gateway, "honest", { jobId: "own" });
  const options = await childOptions(gateway, await gateway.registerWorker());
  expect(await runChild(options)).toMatchObject({ outcome: "completed", task_id: "own.a" });
});

test("a slot that this worker has done is completed again without a claim", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const worker = await gateway.registerWorker();
  const { seen, onExchange } = exchangesOf();
  const options = await childOptions(gateway, worker, { jobId: "shot", onExchange });
  expect((await runChild(options)).outcome).toBe("completed");
  expect((await runChild(options)).outcome).toBe("completed");
  expect(seen.filter((route) => route === "claim")).toHaveLength(1);
});

test("a slot that another worker has done is no_due_job", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  await runChild(await childOptions(gateway, await gateway.registerWorker("one")));
  const other = await childOptions(gateway, await gateway.registerWorker("two"), { jobId: "shot" });
  expect(await runChild(other)).toMatchObject({ outcome: "no_due_job", reason: null });
});

test("nothing to do, and nothing to drain, is no_due_job", async () => {
  const gateway = await startGateway();
  const options = await childOptions(gateway, await gateway.registerWorker());
  expect((await runChild(options)).outcome).toBe("no_due_job");
  expect((await runChild({ ...options, drainOnly: true })).outcome).toBe("no_due_job");
});

test("a job that is not there is job_unknown", async () => {
  const gateway = await startGateway();
  const result = await runChild(
    await childOptions(gateway, await gateway.registerWorker(), { jobId: "nope" }),
  );
  expect(result).toMatchObject({ outcome: "failed", reason: "job_unknown" });
  expect(exitCodeOf(result)).toBe(4);
});

test("another Blender than the pinned one makes no claim", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest", {
    blender: { executables: [{ platform: "linux-x64", sha256: "0".repeat(64) }] },
  });
  const { seen, onExchange } = exchangesOf();
  const result = await runChild(await childOptions(gateway, await gateway.registerWorker(), { onExchange }));
  expect(result).toMatchObject({ outcome: "failed", reason: "RENDER_BLENDER_PIN" });
  expect(exitCodeOf(result)).toBe(4);
  expect(seen).not.toContain("claim");
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "ready", fencing_token: 0 });
});

test("no room on the disk makes no claim", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest", {
    render: { width: 16_384, height: 16_384 },
    slots: [
      { id: "a", first: 1, last: 9_999 },
      { id: "b", first: 10_000, last: 10_000 },
    ],
  });
  const { seen, onExchange } = exchangesOf();
  const result = await runChild(await childOptions(gateway, await gateway.registerWorker(), { onExchange }));
  expect(result.reason).toBe("CLAIM_DISK_SPACE");
  expect(exitCodeOf(result)).toBe(3);
  expect(seen).not.toContain("claim");
});

test("a device that this machine has not makes no claim", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest", { render: { device: "METAL" } });
  const result = await runChild(await childOptions(gateway, await gateway.registerWorker()));
  expect(result.reason).toBe("RENDER_DEVICE_MISSING");
});

test("scripts that only the job allows are refused before a claim", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest", { render: { allow_scripts: true } });
  const result = await runChild(await childOptions(gateway, await gateway.registerWorker()));
  expect(result.reason).toBe("RENDER_SCRIPTS_REFUSED");
});

test("one worker does not get both slots of a job that asks for two", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const options = await childOptions(gateway, await gateway.registerWorker());
  expect((await runChild(options)).outcome).toBe("completed");
  const second = await runChild({ ...options, slot: "b" });
  expect(second).toMatchObject({ outcome: "failed", reason: "worker_not_distinct" });
  expect(exitCodeOf(second)).toBe(4);
});

test("one worker gets both slots where the job does not mind", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest", { policy: { distinct_at_claim: false } });
  const options = await childOptions(gateway, await gateway.registerWorker());
  expect((await runChild(options)).outcome).toBe("completed");
  expect((await runChild({ ...options, slot: "b" })).outcome).toBe("completed");
});

test("a slot leased to another worker is deferred to the end of that lease", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const holder = await gateway.registerWorker("holder");
  await gateway.call("/q/claim", {
    method: "POST",
    token: holder.token,
    body: { task_id: "shot.a", worker_id: holder.workerUuid },
  });
  const { seen, onExchange } = exchangesOf();
  const options = await childOptions(gateway, await gateway.registerWorker(), { jobId: "shot", onExchange });
  const first = await runChild(options);
  expect(first).toMatchObject({ outcome: "deferred", reason: "already_leased" });
  expect(first.next_due_utc).not.toBeNull();
  expect(exitCodeOf(first)).toBe(0);
  expect(await runChild(options)).toMatchObject({ outcome: "deferred", next_due_utc: first.next_due_utc });
  expect(seen.filter((route) => route === "claim")).toHaveLength(1);
});

test("a state folder that another run holds is busy, without a request", async () => {
  const { seen, onExchange } = exchangesOf();
  const stateFolder = await temporaryFolder();
  const lock = takeRunLock(join(stateFolder, "run-lock.sqlite"));
  const worker = { workerUuid: "w_00000000-0000-4000-8000-000000000001", token: "t" };
  const result = await runChild(
    await childOptions({ url: "http://127.0.0.1:1" }, worker, { stateFolder, onExchange }),
  );
  lock?.release();
  expect(result).toMatchObject({ outcome: "busy", reason: null });
  expect(exitCodeOf(result)).toBe(0);
  expect(seen).toEqual([]);
});

test("nobody at the gateway's address is GATEWAY_UNREACHABLE, worth a retry", async () => {
  const worker = { workerUuid: "w_00000000-0000-4000-8000-000000000001", token: "t" };
  const result = await runChild(await childOptions({ url: "http://127.0.0.1:1" }, worker));
  expect(result).toMatchObject({ outcome: "failed", reason: "GATEWAY_UNREACHABLE" });
  expect(exitCodeOf(result)).toBe(3);
});

test("a token that nobody issued is GATEWAY_UNAUTHORIZED", async () => {
  const gateway = await startGateway();
  const worker = { ...(await gateway.registerWorker()), token: "nonsense" };
  expect((await runChild(await childOptions(gateway, worker))).reason).toBe("GATEWAY_UNAUTHORIZED");
});

test("no Blender at the path makes no claim", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const options = await childOptions(gateway, await gateway.registerWorker(), { blender: "/nonexistent" });
  expect((await runChild(options)).reason).toBe("RENDER_BLENDER_MISSING");
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ fencing_token: 0 });
});

test("a state folder that is a file is STATE_UNUSABLE", async () => {
  const worker = { workerUuid: "w_00000000-0000-4000-8000-000000000001", token: "t" };
  const stateFolder = fixtureBlender("honest");
  const result = await runChild(await childOptions({ url: "http://127.0.0.1:1" }, worker, { stateFolder }));
  expect(result.reason).toBe("STATE_UNUSABLE");
});

test("a Blender that writes nothing fails, and the slot is ready for the next with the reason", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "writes-nothing");
  const options = await childOptions(gateway, await gateway.registerWorker(), {
    blender: fixtureBlender("writes-nothing"),
  });
  const result = await runChild(options);
  expect(result).toMatchObject({ outcome: "failed", reason: "RENDER_BLENDER_FAILED", fencing_token: 1 });
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "ready", fencing_token: 1 });
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
});

test("folders of earlier runs that nobody needs are removed", async () => {
  const gateway = await startGateway();
  const options = await childOptions(gateway, await gateway.registerWorker());
  mkdirSync(join(options.stateFolder, "runs/a.1.x.1/scene"), { recursive: true });
  await runChild(options);
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
});
