import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { exitCodeOf, runChild } from "../../../src/render-child/run.ts";
import { childOptions, putJob } from "../../support/child.ts";
import { answered, behindProxy, refused } from "../../support/fault-proxy.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { readyTask } from "../../support/ready-task.ts";
import { storedReceipts } from "../../support/stored-receipts.ts";

const receiptOf = async (gateway: TestGateway, task: string): Promise<Buffer> =>
  (await gateway.call(`/q/receipt/${task}`)).bytes;

/** Resolves when the slot's lease has run out. */
async function untilReady(gateway: TestGateway): Promise<void> {
  while ((await gateway.call("/q/task/shot.a")).json()["state"] !== "ready") await sleep(100);
}

test("a claim, an upload and a submit whose answers are lost cost one more attempt each", async () => {
  const { gateway, proxy } = await behindProxy(({ path, before, method }) => {
    const fragile = path === "/q/claim" || path === "/q/submit" || method === "PUT";
    return fragile && before === 0 ? "lose" : "pass";
  });
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  const result = await runChild(options);
  expect(result).toMatchObject({ outcome: "completed", fencing_token: 1 });
  expect(result.transport_attempts).toMatchObject({ upload: 2, submit: 2 });
  expect(storedReceipts(options.stateFolder)).toEqual([await receiptOf(gateway, "shot.a")]);
});

test("a claim that the gateway granted and then answered with a fault of its own is found again by the next run", async () => {
  let broken = true;
  const { gateway, proxy } = await behindProxy(({ path, before }, real) => {
    if (!broken || path !== "/q/claim") return "pass";
    return before === 0 ? "lose" : refused(real, { status: 500, code: "internal_error" });
  });
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  expect(await runChild(options)).toMatchObject({ outcome: "failed", reason: "internal_error" });
  broken = false;
  expect(await runChild(options)).toMatchObject({ outcome: "completed", fencing_token: 1 });
});

test("a submit whose answers are all lost is found again by the next run, byte for byte, without a claim", async () => {
  let broken = true;
  const { gateway, proxy } = await behindProxy(({ path }) =>
    broken && path === "/q/submit" ? "lose" : "pass",
  );
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  const first = await runChild(options);
  expect(first).toMatchObject({ outcome: "failed", reason: "GATEWAY_CONNECTION_LOST" });
  expect(exitCodeOf(first)).toBe(3);
  broken = false;
  const original = await receiptOf(gateway, "shot.a");
  const requests = proxy.seen.length;
  const second = await runChild({ ...options, drainOnly: true });
  expect(second).toMatchObject({
    outcome: "completed",
    task_id: "shot.a",
    bundle_sha256: first.bundle_sha256,
  });
  expect(proxy.seen.slice(requests)).toEqual(["POST /q/submit"]);
  expect(storedReceipts(options.stateFolder).map(sha256)).toEqual([sha256(original)]);
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
});

test("an upload that breaks keeps the bundle, and the next run hands it in under the same fence", async () => {
  let broken = true;
  const { gateway, proxy } = await behindProxy(({ method }) => (broken && method === "PUT" ? "cut" : "pass"));
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  const first = await runChild(options);
  expect(first).toMatchObject({ outcome: "failed", reason: "UPLOAD_FAILED", fencing_token: 1 });
  expect(proxy.seen).not.toContain("POST /q/release");
  broken = false;
  expect(await runChild(options)).toMatchObject({ outcome: "completed", fencing_token: 1, reused: false });
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "done", claims: 1 });
});

test("frames whose lease ran out while the gateway was away are handed in again without rendering", async () => {
  let away = true;
  const { gateway, proxy } = await behindProxy(({ method }, real) =>
    away && method === "PUT" ? refused(real, { status: 503, code: "unavailable", retryAfter: "3" }) : "pass",
  );
  await putJob(gateway, "honest", { limits: { lease_seconds: 8 } });
  const options = await childOptions(proxy, await gateway.registerWorker(), { maxWaitSeconds: 0 });
  const first = await runChild(options);
  expect(first).toMatchObject({ outcome: "deferred", reason: "GATEWAY_UNAVAILABLE", fencing_token: 1 });
  away = false;
  await untilReady(gateway);
  await sleep(Math.max(0, Date.parse(first.next_due_utc ?? "") - Date.now()));
  const phases = new Set<string>();
  const second = await runChild({ ...options, onProgress: ({ phase }) => phases.add(phase) });
  expect(second).toMatchObject({ outcome: "completed", fencing_token: 2, reused: true });
  expect(phases.has("start")).toBe(false);
  const request = await gateway.call("/q/request/shot.a");
  expect(request.json()["result"]).toMatchObject({ render: { reused: true } });
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
});

test("work for a slot that another worker has finished meanwhile is given up, and nothing is doubled", async () => {
  let away = true;
  const { gateway, proxy } = await behindProxy(({ method }) => (away && method === "PUT" ? "cut" : "pass"));
  await putJob(gateway, "honest", { limits: { lease_seconds: 8 } });
  const options = await childOptions(proxy, await gateway.registerWorker("slow"));
  expect((await runChild(options)).reason).toBe("UPLOAD_FAILED");
  await untilReady(gateway);
  expect((await runChild(await childOptions(gateway, await gateway.registerWorker("quick")))).outcome).toBe(
    "completed",
  );
  away = false;
  expect((await runChild({ ...options, jobId: "shot" })).outcome).toBe("no_due_job");
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "done", claims: 2 });
  await runChild(options);
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
});

test("a folder that cannot be cleared away after the receipt is no failure, and the next run clears it", async () => {
  const { gateway } = await behindProxy(() => "pass");
  await putJob(gateway, "honest");
  const events: string[] = [];
  const options = await childOptions(gateway, await gateway.registerWorker(), {
    logger: { log: (_, event) => void events.push(event) },
  });
  const fails = async (point: string): Promise<void> => {
    if (point === "during_cleanup") throw Object.assign(new Error("disk"), { code: "EIO" });
  };
  expect(await runChild({ ...options, faultPoint: fails })).toMatchObject({ outcome: "completed" });
  expect(events).toContain("cleanup_failed");
  await runChild(options);
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
});

test("a submit that is refused for good is discarded and told", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, real) =>
    path === "/q/submit" ? refused(real, { status: 422, code: "result_invalid" }) : "pass",
  );
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  const result = await runChild(options);
  expect(result).toMatchObject({ outcome: "failed", reason: "SUBMIT_REFUSED", details: ["result_invalid"] });
  expect(exitCodeOf(result)).toBe(4);
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "ready" });
  expect(readdirSync(join(options.stateFolder, "runs"))).toEqual([]);
});

test("a receipt for something else is SUBMIT_RECEIPT_INVALID, and the work is kept", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, real) =>
    path === "/q/submit"
      ? answered(
          real,
          200,
          JSON.stringify({
            fencing_token: 9,
            idempotency_key: "k",
            lease_expires_at: "2027-01-15T08:00:00Z",
            request_sha256: "0".repeat(64),
            result_sha256: "0".repeat(64),
            state: "done",
            task_id: "shot.a",
            worker_id: "w",
          }),
        )
      : "pass",
  );
  await putJob(gateway, "honest");
  const options = await childOptions(proxy, await gateway.registerWorker());
  const result = await runChild(options);
  expect(result.reason).toBe("SUBMIT_RECEIPT_INVALID");
  const folders = readdirSync(join(options.stateFolder, "runs"));
  expect(folders.map((name) => existsSync(join(options.stateFolder, "runs", name, "bundle.zip")))).toEqual([
    true,
  ]);
});

test("a scene file that arrives as other bytes is CLAIM_SCENE_DIGEST, and the slot is given back", async () => {
  const { gateway, proxy } = await behindProxy(({ path, method }, real) =>
    method === "GET" && path.startsWith("/q/blob/") ? answered(real, 200, "other bytes") : "pass",
  );
  await putJob(gateway, "honest");
  const result = await runChild(await childOptions(proxy, await gateway.registerWorker()));
  expect(result).toMatchObject({ outcome: "failed", reason: "CLAIM_SCENE_DIGEST" });
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "ready" });
});

test("a job whose bytes are not those that the task names makes no claim", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, real) =>
    path.startsWith("/q/job/") ? answered(real, 200, "{}") : "pass",
  );
  await putJob(gateway, "honest");
  const result = await runChild(await childOptions(proxy, await gateway.registerWorker()));
  expect(result.reason).toBe("CLAIM_JOB_DIGEST");
  expect(proxy.seen).not.toContain("POST /q/claim");
});

test("a job that breaks its rules makes no claim", async () => {
  const text = JSON.stringify({ schema: "render_handoff.job.v1" });
  const task = (id: string) =>
    readyTask(id, {
      schema: "render_handoff.slot_task.v1",
      job_sha256: sha256(text),
      job_id: "shot",
      slot: "a",
    });
  const { gateway, proxy } = await behindProxy(({ path }, real) => {
    if (path === "/q/tasks")
      return answered(real, 200, JSON.stringify({ tasks: [task("shot.a")], cursor: null }));
    return path.startsWith("/q/job/") ? answered(real, 200, text) : "pass";
  });
  const result = await runChild(await childOptions(proxy, await gateway.registerWorker()));
  expect(result.reason).toBe("CLAIM_JOB_INVALID");
  expect(proxy.seen).not.toContain("POST /q/claim");
});
