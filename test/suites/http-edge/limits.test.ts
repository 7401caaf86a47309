import { describe, expect, test } from "vitest";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { putSampleJob, sampleJob } from "../../support/gateway-job.ts";
import { dial, drip } from "./trickle.ts";

const list = (gateway: TestGateway, token: string) => gateway.call("/q/tasks", { token });
const post = (gateway: TestGateway, worker: TestWorker, path: string, body: Record<string, unknown>) =>
  gateway.call(path, {
    method: "POST",
    token: worker.token,
    headers: { "idempotency-key": "key" },
    body: { task_id: "shot-1.a", worker_id: worker.workerUuid, ...body },
  });

describe("rate", () => {
  test("beyond its requests a worker is told when to come back; another worker and people are not", async () => {
    const gateway = await startGateway({ rateLimit: 3 });
    const [one, two] = [await gateway.registerWorker(), await gateway.registerWorker()];
    for (const _ of [1, 2, 3]) expect((await list(gateway, one.token)).status).toBe(200);
    const refused = await list(gateway, one.token);
    expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(10);
    expect((await list(gateway, two.token)).status).toBe(200);
    for (const _ of [1, 2, 3, 4]) expect((await list(gateway, gateway.adminToken)).status).toBe(200);
  });

  test("a worker over its rate still keeps its lease, gives it back and hands in", async () => {
    const gateway = await startGateway({ rateLimit: 1 });
    await putSampleJob(gateway, sampleJob());
    const worker = await gateway.registerWorker();
    expect((await post(gateway, worker, "/q/claim", {})).status).toBe(200);
    expect((await post(gateway, worker, "/q/claim", {})).code).toBe("rate_limited");
    const held = { fencing_token: 1 };
    expect((await post(gateway, worker, "/q/heartbeat", { ...held, progress: null })).status).toBe(200);
    expect((await post(gateway, worker, "/q/submit", { ...held, result: 1 })).code).toBe("result_invalid");
    expect((await post(gateway, worker, "/q/release", { ...held, reason: "INTERRUPTED" })).status).toBe(200);
  });

  test("requests without a valid token are not counted against anybody", async () => {
    const gateway = await startGateway({ rateLimit: 1 });
    const worker = await gateway.registerWorker();
    for (const _ of [1, 2, 3]) expect((await list(gateway, `${worker.token}x`)).status).toBe(401);
    expect((await list(gateway, worker.token)).status).toBe(200);
  });
});

describe("connections", () => {
  test("beyond their number are closed, and are taken again when others have gone", async () => {
    const gateway = await startGateway({ connections: 2 });
    const { adminToken } = gateway;
    const held = [dial(gateway), dial(gateway)];
    await Promise.all(held.map(({ socket }) => new Promise((resolve) => socket.on("connect", resolve))));
    const third = dial(gateway, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await third.answer).toBe("");
    for (const { socket, answer } of held) {
      socket.destroy();
      await answer;
    }
    await expect
      .poll(() =>
        list(gateway, adminToken).then(
          (answer) => answer.status,
          () => 0,
        ),
      )
      .toBe(200);
  });
});

describe("a slow client", () => {
  const head = (token: string, length: number) =>
    `POST /q/enqueue HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test("whose headers trickle in is answered with request_timeout and closed", async () => {
    const gateway = await startGateway({ timeouts: { headersMs: 300 } });
    const { socket, answer } = dial(gateway, "GET /healthz HTTP/1.1\r\nHost: x\r\nX: ");
    drip(socket, "x", 20);
    expect(await answer).toContain("urn:render-handoff:error:request_timeout");
  });

  test("whose body trickles in, never idle, is answered with request_timeout and closed", async () => {
    const gateway = await startGateway({ timeouts: { bodyMs: 300 } });
    const { socket, answer } = dial(gateway, head(gateway.adminToken, 60_000));
    drip(socket, " ", 20);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 .*urn:render-handoff:error:request_timeout/s);
  });

  test("that sends chunks without end is answered at the cap", async () => {
    const gateway = await startGateway();
    const { socket, answer } = dial(
      gateway,
      head(gateway.adminToken, 0)
        .replace("/q/enqueue", "/q/reopen")
        .replace("Content-Length: 0", "Transfer-Encoding: chunked"),
    );
    const chunk = `1000\r\n${" ".repeat(4_096)}\r\n`;
    const timer = setInterval(() => socket.write(chunk), 1);
    socket.on("close", () => clearInterval(timer));
    expect(await answer).toMatch(/^HTTP\/1\.1 413 .*urn:render-handoff:error:body_too_large/s);
  });

  test("does not hold up others: 200 open connections that say nothing, and one that asks", async () => {
    const gateway = await startGateway();
    const idle = Array.from({ length: 200 }, () => dial(gateway, "POST /q/claim HTTP/1.1\r\nHost: x\r\n"));
    await Promise.all(idle.map(({ socket }) => new Promise((resolve) => socket.on("connect", resolve))));
    expect((await gateway.call("/q/tasks")).status).toBe(200);
    for (const { socket } of idle) socket.destroy();
  });
});
