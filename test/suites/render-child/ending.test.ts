import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HandoffError } from "../../../src/core/error.ts";
import { exitCodeOf, runChild } from "../../../src/render-child/run.ts";
import { childOptions, fixtureBlender, putJob } from "../../support/child.ts";
import { behindProxy, refused } from "../../support/fault-proxy.ts";
import { startGateway } from "../../support/gateway.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";

const SLEEPS = { blender: fixtureBlender("sleeps-for-ever") };

test("Blender that lives longer than watchdog_seconds is killed, and the slot is claimable again", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "sleeps-for-ever", { limits: { watchdog_seconds: 3 } });
  const options = await childOptions(gateway, await gateway.registerWorker(), SLEEPS);
  const result = await runChild(options);
  expect(result).toMatchObject({ outcome: "failed", reason: "RENDER_WATCHDOG", fencing_token: 1 });
  expect(exitCodeOf(result)).toBe(4);
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
  const next = await gateway.registerWorker("next");
  const claim = await gateway.call("/q/claim", {
    method: "POST",
    token: next.token,
    body: { task_id: "shot.a", worker_id: next.workerUuid },
  });
  expect(claim.json()).toMatchObject({ fencing_token: 2 });
});

test("a run that takes longer than run_seconds is stopped and gives the slot back", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "sleeps-for-ever", { limits: { run_seconds: 2 } });
  const result = await runChild(await childOptions(gateway, await gateway.registerWorker(), SLEEPS));
  expect(result.reason).toBe("RENDER_RUN_DEADLINE");
  expect(exitCodeOf(result)).toBe(4);
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "ready" });
});

test("a signal stops the run, and the slot is given back", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "sleeps-for-ever");
  const controller = new AbortController();
  const result = await runChild(
    await childOptions(gateway, await gateway.registerWorker(), {
      ...SLEEPS,
      signal: controller.signal,
      onProgress: ({ phase }) => {
        if (phase === "render") controller.abort("SIGTERM");
      },
    }),
  );
  expect(result).toMatchObject({ outcome: "failed", reason: "INTERRUPTED" });
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "ready", fencing_token: 1 });
});

test("a signal before the claim ends the run with its own reason", async () => {
  const gateway = await startGateway();
  const controller = new AbortController();
  controller.abort(new HandoffError("INTERRUPTED"));
  const worker = await gateway.registerWorker();
  const result = await runChild(await childOptions(gateway, worker, { signal: controller.signal }));
  expect(result.reason).toBe("INTERRUPTED");
});

test("a heartbeat that is refused ends the run with LEASE_LOST and no release", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, real) =>
    path === "/q/heartbeat" ? refused(real, { status: 409, code: "stale_or_invalid_lease" }) : "pass",
  );
  await putJob(gateway, "sleeps-for-ever", { limits: { lease_seconds: 3 } });
  const result = await runChild(await childOptions(proxy, await gateway.registerWorker(), SLEEPS));
  expect(result).toMatchObject({ outcome: "failed", reason: "LEASE_LOST" });
  expect(exitCodeOf(result)).toBe(3);
  expect(proxy.seen).not.toContain("POST /q/release");
});

test("a gateway that is gone for longer than the lease ends the run in time", async () => {
  const { gateway, proxy } = await behindProxy(({ path }) => (path === "/q/heartbeat" ? "hang" : "pass"));
  await putJob(gateway, "sleeps-for-ever", { limits: { lease_seconds: 3 } });
  const result = await runChild(await childOptions(proxy, await gateway.registerWorker(), SLEEPS));
  expect(result.reason).toBe("LEASE_LOST");
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ fencing_token: 1 });
});

test("heartbeats keep a short lease while Blender takes longer", async () => {
  const gateway = await startGatewayProcess();
  await putJob(gateway, "sleeps-for-ever", { limits: { lease_seconds: 8, watchdog_seconds: 12 } });
  const result = await runChild(await childOptions(gateway, await gateway.registerWorker(), SLEEPS));
  expect(result.reason).toBe("RENDER_WATCHDOG");
});

test("heartbeats go on while the main thread is blocked for longer than the lease", async () => {
  const gateway = await startGatewayProcess();
  await putJob(gateway, "honest", { limits: { lease_seconds: 8 } });
  let blocked = false;
  const result = await runChild(
    await childOptions(gateway, await gateway.registerWorker(), {
      onProgress: ({ phase }) => {
        if (phase === "check" && !blocked)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
        blocked ||= phase === "check";
      },
    }),
  );
  expect(blocked).toBe(true);
  expect(result).toMatchObject({ outcome: "completed", fencing_token: 1 });
});

test("a 503 with Retry-After defers the run, and before that time the next makes no request", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, real) =>
    path === "/q/claim" ? refused(real, { status: 503, code: "unavailable", retryAfter: "120" }) : "pass",
  );
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  const first = await runChild(options);
  expect(first).toMatchObject({ outcome: "deferred", reason: "GATEWAY_UNAVAILABLE" });
  const due = Date.parse(first.next_due_utc ?? "");
  expect(Math.abs(due - Date.now() - 120_000)).toBeLessThan(30_000);
  const requests = proxy.seen.length;
  expect(await runChild(options)).toMatchObject({ outcome: "deferred", next_due_utc: first.next_due_utc });
  expect(proxy.seen).toHaveLength(requests);
});

test("a Retry-After of a year holds the host", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, real) =>
    path === "/q/claim"
      ? refused(real, { status: 503, code: "unavailable", retryAfter: "31536000" })
      : "pass",
  );
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  for (const _ of [1, 2])
    expect(await runChild(options)).toMatchObject({ outcome: "held", reason: "GATEWAY_HELD" });
});

test("a pause that a heartbeat is asked for is kept for the next run, which makes no request", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, real) =>
    path === "/q/heartbeat" ? refused(real, { status: 503, code: "unavailable", retryAfter: "600" }) : "pass",
  );
  await putJob(gateway, "sleeps-for-ever", { limits: { lease_seconds: 8 } });
  const options = await childOptions(proxy, await gateway.registerWorker(), SLEEPS);
  expect((await runChild(options)).reason).toBe("LEASE_LOST");
  expect(proxy.seen.filter((one) => one === "POST /q/heartbeat")).toHaveLength(1);
  const requests = proxy.seen.length;
  expect(await runChild(options)).toMatchObject({ outcome: "deferred", reason: "GATEWAY_UNAVAILABLE" });
  expect(proxy.seen).toHaveLength(requests);
});
