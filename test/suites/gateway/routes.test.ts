import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { startGateway } from "../../support/gateway.ts";
import { putSampleJob, sampleJob } from "../../support/gateway-job.ts";

import { leased, post } from "./route-calls.ts";

describe("jobs", () => {
  test("a job comes back byte for byte, once new and then the same", async () => {
    const gateway = await startGateway();
    const bytes = canonicalBytes(await putSampleJob(gateway));
    const again = await gateway.call("/q/job", { method: "POST", body: bytes });
    expect([again.status, again.json()]).toEqual([
      200,
      { job_id: "shot-1", job_sha256: sha256(bytes), created: false },
    ]);
    const { token } = await gateway.registerWorker();
    expect((await gateway.call("/q/job/shot-1", { token })).bytes.equals(bytes)).toBe(true);
    expect((await gateway.call("/q/job/shot-2", { token })).code).toBe("job_unknown");
    const tasks = (await gateway.call("/q/tasks?job=shot-1&slot=b&state=ready", { token })).json();
    expect(tasks).toMatchObject({ tasks: [{ task_id: "shot-1.b" }], cursor: null });
  });

  test("a refused job names every broken rule", async () => {
    const gateway = await startGateway();
    const body = canonicalBytes(
      sampleJob({
        slots: [
          { id: "a", first: 3, last: 2 },
          { id: "b", first: 9, last: 9 },
        ],
      }),
    );
    const answer = await gateway.call("/q/job", { method: "POST", body });
    expect(answer).toMatchObject({ status: 422, code: "job_invalid" });
    expect(answer.json()["details"]).toHaveLength(2);
  });

  test("a job before its scene is refused", async () => {
    const gateway = await startGateway();
    const answer = await gateway.call("/q/job", { method: "POST", body: canonicalBytes(sampleJob()) });
    expect(answer.code).toBe("blob_missing");
  });
});

describe("leases over HTTP", () => {
  test("another worker's claim is told how long to wait", async () => {
    const { gateway } = await leased();
    const other = await gateway.registerWorker();
    const body = { task_id: "task", worker_id: other.workerUuid };
    const answer = await post(gateway, "/q/claim", { token: other.token, body });
    expect(answer).toMatchObject({ status: 409, code: "already_leased" });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(50);
  });

  test("a worker may speak for itself only", async () => {
    const { gateway, worker, held } = await leased();
    const { token } = await gateway.registerWorker();
    const bodies = {
      "/q/claim": { task_id: "task", worker_id: worker.workerUuid },
      "/q/heartbeat": { ...held, progress: null },
      "/q/release": { ...held, reason: "INTERRUPTED" },
      "/q/submit": { ...held, result: 1 },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await post(gateway, path, { token, body, headers: { "idempotency-key": "k" } });
      expect([path, answer.code]).toEqual([path, "worker_identity_mismatch"]);
    }
  });

  test("heartbeat and release carry the fence: absent is an error, wrong is stale", async () => {
    const { gateway, worker, held } = await leased();
    const { token } = worker;
    for (const [path, extra] of [
      ["/q/heartbeat", { progress: null }],
      ["/q/release", { reason: "INTERRUPTED" }],
    ] as const) {
      const absent = { ...held, ...extra, fencing_token: undefined };
      expect((await post(gateway, path, { token, body: absent })).code).toBe("invalid_request_shape");
      const wrong = { ...held, ...extra, fencing_token: 2 };
      expect((await post(gateway, path, { token, body: wrong })).code).toBe("stale_or_invalid_lease");
      const unknown = { ...held, ...extra, task_id: "none" };
      expect((await post(gateway, path, { token, body: unknown })).code).toBe("task_unknown");
      expect((await post(gateway, path, { token, body: { ...held, ...extra } })).status).toBe(200);
    }
  });

  test.each([
    ["a quoted key", '"key-1"', ""],
    ["white space around it", "  key-1 ", ""],
    ["no key", null, "idempotency_key_invalid"],
    ["an empty key", "", "idempotency_key_invalid"],
    ["an empty string", '""', "idempotency_key_invalid"],
    ["a half quoted key", '"key-1', "idempotency_key_invalid"],
    ["a parameter", '"key-1";a=1', "idempotency_key_invalid"],
    ["a character that is not allowed", "key/1", "idempotency_key_invalid"],
    ["256 characters", "k".repeat(256), "idempotency_key_invalid"],
    ["two headers", ["key-1", "key-1"], "idempotency_key_invalid"],
  ])("an Idempotency-Key: %s", async (_name, key, code) => {
    const { gateway, worker, held } = await leased();
    const headers: Record<string, string | string[]> = key === null ? {} : { "idempotency-key": key };
    const body = { ...held, result: 1 };
    const answer = await post(gateway, "/q/submit", { token: worker.token, body, headers });
    expect(answer.code).toBe(code);
    if (code === "") expect(answer.json()).toMatchObject({ idempotency_key: "key-1" });
  });

  test("a claim repeated with its key is replayed and says so", async () => {
    const gateway = await startGateway();
    const worker = await gateway.registerWorker();
    const task = { task_id: "task", payload: 1, lease_seconds: 60 };
    await post(gateway, "/q/enqueue", { token: gateway.adminToken, body: task });
    const claim = {
      token: worker.token,
      body: { task_id: "task", worker_id: worker.workerUuid },
      headers: { "idempotency-key": "c-1" },
    };
    const first = await post(gateway, "/q/claim", claim);
    const again = await post(gateway, "/q/claim", claim);
    expect(again.json()).toMatchObject({
      fencing_token: 1,
      lease_expires_at: first.json()["lease_expires_at"],
    });
    expect([first.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([
      undefined,
      "true",
    ]);
  });
});
