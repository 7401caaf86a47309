import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { ObjectEnvelope, STABLE_FIELDS } from "../../../contracts/documents/object.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { type Logger, silentLogger } from "../../../src/core/logger.ts";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import type { Answered } from "../../support/gateway-call.ts";
import { putSampleJob, sampleJob, winSlot } from "../../support/gateway-job.ts";
import { testClock } from "./queue-suite.ts";

const post = (
  gateway: TestGateway,
  path: string,
  {
    token,
    body,
    headers = {},
  }: { token: string; body: unknown; headers?: Record<string, string | string[]> },
): Promise<Answered> => gateway.call(path, { method: "POST", token, body, headers });

async function leased(options = {}): Promise<{ gateway: TestGateway; worker: TestWorker; held: object }> {
  const gateway = await startGateway(options);
  const worker = await gateway.registerWorker("one", "ann");
  const task = { task_id: "task", payload: { work: 1 }, lease_seconds: 60 };
  expect((await post(gateway, "/q/enqueue", { token: gateway.adminToken, body: task })).status).toBe(201);
  const body = { task_id: "task", worker_id: worker.workerUuid };
  expect((await post(gateway, "/q/claim", { token: worker.token, body })).status).toBe(200);
  return { gateway, worker, held: { ...body, fencing_token: 1 } };
}

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

describe("receipts, bodies and objects", () => {
  test("a replay after reopening is marked as replayed and superseded", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const worker = await gateway.registerWorker();
    const won = await winSlot(gateway, worker, { job, slot: "a" });
    const replay = () =>
      post(gateway, "/q/submit", {
        token: worker.token,
        body: won.body,
        headers: { "idempotency-key": "key-1" },
      });
    const before = await replay();
    expect([before.headers["idempotent-replayed"], before.headers["superseded"]]).toEqual([
      "true",
      undefined,
    ]);
    const body = { task_id: "shot-1.a", reason: "JOIN_FRAMES" };
    const reopened = await post(gateway, "/q/reopen", { token: gateway.adminToken, body });
    expect(reopened.json()).toEqual({ task_id: "shot-1.a", state: "ready", version: 2 });
    const after = await replay();
    expect([after.headers["idempotent-replayed"], after.headers["superseded"]]).toEqual(["true", "true"]);
    expect(after.bytes.equals(won.receipt)).toBe(true);
    expect((await gateway.call("/q/receipt/shot-1.a")).code).toBe("receipt_unknown");
    expect((await gateway.call("/q/receipt/shot-1.a?version=1")).bytes.equals(won.receipt)).toBe(true);
    expect((await gateway.call("/q/request/shot-1.a?version=1")).bytes.equals(won.body)).toBe(true);
  });

  test("an object's envelope has every stable field, the digest of its payload and its receipt", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const worker = await gateway.registerWorker("attic");
    const won = await winSlot(gateway, worker, { job, slot: "a" });
    const { token } = await gateway.registerChecker();
    const envelope = (await gateway.call("/q/object/shot-1.a", { token })).json();
    expect(Object.keys(envelope)).toEqual(expect.arrayContaining([...STABLE_FIELDS]));
    const read = ObjectEnvelope.parse(envelope);
    expect(read.sha256_hash).toBe(sha256(canonicalBytes(read.payload)));
    expect(read.receipt_sha256).toBe(sha256(won.receipt));
    expect(read).toMatchObject({ producer_agent: "attic", gateway_id: gateway.gatewayId });
    const bySha = await gateway.call(`/q/object/shot-1.a?version=1&sha256=${read.sha256_hash}`, { token });
    expect(bySha.json()).toEqual(envelope);
    expect((await gateway.call("/q/object/shot-1.a?version=2", { token })).code).toBe(
      "object_version_unknown",
    );
    expect((await gateway.call("/q/object/shot-1.b", { token })).code).toBe("object_unknown");
  });

  test("a worker reads what is its own, a checker everything", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const [winner, other] = [await gateway.registerWorker(), await gateway.registerWorker()];
    const checker = await gateway.registerChecker();
    await winSlot(gateway, winner, { job, slot: "a" });
    for (const kind of ["task", "receipt", "request", "object"]) {
      const read = async ({ token }: { token: string }) =>
        (await gateway.call(`/q/${kind}/shot-1.a`, { token })).code;
      expect([kind, await read(winner), await read(other), await read(checker)]).toEqual([
        kind,
        "",
        "role_forbidden",
        "",
      ]);
    }
    expect((await gateway.call("/q/task/none")).code).toBe("task_unknown");
  });

  test("a payload that was changed in the store is told as corrupt", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    await winSlot(gateway, await gateway.registerWorker(), { job, slot: "a" });
    outside(gateway, "UPDATE objects SET payload = replace(payload, '205', '204')");
    const envelope = (await gateway.call("/q/object/shot-1.a")).json();
    expect(envelope).toMatchObject({ payload_sha256_verified: false, integrity_status: "corrupt" });
  });
});

describe("people", () => {
  test("a revoked worker's calls fail at once and its lease is free", async () => {
    const { gateway, worker, held } = await leased();
    const revoke = () => gateway.call(`/q/worker/${worker.workerUuid}/revoke`, { method: "POST" });
    const first = await revoke();
    expect(first.json()).toMatchObject({ name: "one", operator: "ann", worker_uuid: worker.workerUuid });
    expect(first.json()["revoked_at"]).not.toBeNull();
    const body = { ...held, progress: null };
    const beat = await post(gateway, "/q/heartbeat", { token: worker.token, body });
    expect(beat).toMatchObject({ status: 403, code: "worker_revoked" });
    expect((await gateway.call("/q/task/task")).json()).toMatchObject({ state: "ready", fencing_token: 1 });
    expect((await revoke()).json()).toEqual(first.json());
  });

  test("a revoked checker's calls fail, and an id of nobody is unknown", async () => {
    const gateway = await startGateway();
    const { checkerUuid, token } = await gateway.registerChecker("join");
    expect((await gateway.call(`/q/checker/${checkerUuid}/revoke`, { method: "POST" })).status).toBe(200);
    expect((await gateway.call("/q/worker", { token })).code).toBe("worker_revoked");
    const nobody = "00000000-0000-4000-8000-000000000000";
    for (const path of [`/q/worker/w_${nobody}/revoke`, `/q/checker/c_${nobody}/revoke`])
      expect((await gateway.call(path, { method: "POST" })).code).toBe("worker_unknown");
    expect((await gateway.call("/q/checker")).json()).toMatchObject({ checkers: [{ name: "join" }] });
  });

  test("tokens are in no answer but their own and in no file of the store", async () => {
    const gateway = await startGateway();
    const { token } = await gateway.registerWorker();
    expect((await gateway.call("/q/worker")).bytes.toString()).not.toContain(token);
    const rows = outside(gateway, "SELECT token_sha256 FROM workers");
    expect(rows).toEqual([{ token_sha256: sha256(token) }]);
  });
});

describe("operation", () => {
  test("a failing store is unavailable with Retry-After, and nothing has changed", async () => {
    const { gateway, worker, held } = await leased();
    outside(
      gateway,
      "CREATE TRIGGER full BEFORE INSERT ON receipts BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END",
    );
    const submit = () =>
      post(gateway, "/q/submit", {
        token: worker.token,
        body: { ...held, result: 1 },
        headers: { "idempotency-key": "k" },
      });
    const answer = await submit();
    expect(answer).toMatchObject({ status: 503, code: "unavailable" });
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.bytes.toString()).not.toContain("disk I/O");
    expect((await gateway.call("/q/task/task")).json()).toMatchObject({ state: "leased" });
    outside(gateway, "DROP TRIGGER full");
    expect((await submit()).status).toBe(200);
  });

  test("a store that does not answer is not ready, while the process is alive", async () => {
    const gateway = await startGateway();
    expect((await gateway.call("/readyz", { token: null })).status).toBe(200);
    outside(gateway, "ALTER TABLE meta RENAME TO meta_gone");
    expect((await gateway.call("/readyz", { token: null })).code).toBe("unavailable");
    expect((await gateway.call("/healthz", { token: null })).json()).toEqual({ status: "ok" });
  });

  test("a fault of the program is internal_error, told to the log and not to the client", async () => {
    const lines: string[] = [];
    const logger: Logger = {
      log: (_level, event, fields) => lines.push(`${event} ${fields?.code ?? ""} ${fields?.detail ?? ""}`),
    };
    const clock = { ...testClock(), monotonicMs: () => 0, sleep: async () => {}, random: () => 0 };
    const gateway = await startGateway({ logger, clock: { ...clock, wallSeconds: () => 253_402_300_790 } });
    const { token, workerUuid } = await gateway.registerWorker();
    const task = { task_id: "task", payload: 1, lease_seconds: 60 };
    await post(gateway, "/q/enqueue", { token: gateway.adminToken, body: task });
    const body = { task_id: "task", worker_id: workerUuid };
    const answer = await post(gateway, "/q/claim", { token, body });
    expect(answer).toMatchObject({ status: 500, code: "internal_error" });
    expect(answer.bytes.toString()).not.toMatch(/RangeError|\.ts/);
    expect(lines).toContain("request_failed internal_error RangeError: time out of range");
    expect((await gateway.call("/q/task/task")).json()).toMatchObject({ state: "ready", fencing_token: 0 });
  });

  test("each request is one log line with route, status, worker and fence, and never a token", async () => {
    const lines: string[] = [];
    const logger: Logger = {
      log: (level, event, fields) => lines.push(JSON.stringify({ level, event, ...fields })),
    };
    const { gateway, worker } = await leased({ logger });
    const claim = lines.map((line) => JSON.parse(line)).find((line) => line.route === "claim");
    expect(claim).toMatchObject({
      event: "request",
      status: 200,
      worker_uuid: worker.workerUuid,
      fencing_token: 1,
      task_id: "task",
    });
    expect(lines.join("\n")).not.toMatch(/rh[awc]_/);
    expect(gateway.adminToken).toMatch(/^rha_/);
  });

  test("metrics count answers by route and status and problems by code", async () => {
    const gateway = await startGateway({ logger: silentLogger });
    await gateway.call("/q/tasks", { token: null });
    const text = (await gateway.call("/metrics", { token: null })).bytes.toString();
    expect(text).toContain('render_handoff_gateway_requests_total{route="listTasks",status="401"} 1');
    expect(text).toContain('render_handoff_gateway_errors_total{route="listTasks",code="unauthenticated"} 1');
  });

  test("behind a proxy every peer looks local, so metrics are told to nobody", async () => {
    const gateway = await startGateway({ behindProxy: true });
    expect((await gateway.call("/metrics", { token: null })).code).toBe("role_forbidden");
  });
});

/** Another connection to the gateway's database, as no other process should have one. */
function outside(gateway: TestGateway, sql: string): unknown[] {
  const db = new DatabaseSync(join(gateway.dataFolder, "queue.sqlite"), { timeout: 1_000 });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}
