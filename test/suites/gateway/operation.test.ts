import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { type Logger, silentLogger } from "../../../src/core/logger.ts";
import { startGateway } from "../../support/gateway.ts";
import { testClock } from "./queue-bench.ts";

import { leased, outside, post } from "./route-calls.ts";

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
    const clock = {
      ...testClock(),
      monotonicMs: () => 0,
      sleep: systemClock.sleep,
      random: () => 0,
    };
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

  test("behind a proxy every peer looks local, so metrics need a token of a checker or the administrator", async () => {
    const gateway = await startGateway({ behindProxy: true });
    expect((await gateway.call("/metrics", { token: null })).code).toBe("unauthenticated");
    expect((await gateway.call("/metrics")).status).toBe(200);
    const { token } = await gateway.registerChecker();
    expect((await gateway.call("/metrics", { token })).status).toBe(200);
    const worker = await gateway.registerWorker();
    expect((await gateway.call("/metrics", { token: worker.token })).code).toBe("role_forbidden");
  });

  test("a page of another site that its name leads to this machine reads no metrics", async () => {
    const gateway = await startGateway();
    const headers = { host: "rebound.example" };
    expect((await gateway.call("/metrics", { token: null, headers })).code).toBe("unauthenticated");
    const own = { host: "localhost:8140" };
    expect((await gateway.call("/metrics", { token: null, headers: own })).status).toBe(200);
  });

  test("a request id of the client is taken over where it is one, and stands in the log and the answer", async () => {
    const lines: string[] = [];
    const logger: Logger = { log: (_level, _event, fields) => lines.push(String(fields?.request_id)) };
    const gateway = await startGateway({ logger });
    const ask = async (id: string | string[]) =>
      (await gateway.call("/healthz", { headers: { "request-id": id } })).headers["request-id"];
    expect(await ask("night-run.17")).toBe("night-run.17");
    for (const other of ["", "a b", "x".repeat(65), '"}{', ["one", "two"]])
      expect(await ask(other)).toMatch(/^[0-9a-f-]{36}$/);
    await expect.poll(() => lines.includes("night-run.17")).toBe(true);
  });
});
