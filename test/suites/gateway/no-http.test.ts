import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { Logger } from "../../../src/core/logger.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";

describe("bytes that are no HTTP", () => {
  test.each([
    ["garbage", "garbage\r\n\r\n"],
    ["an unknown method", "NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["two lengths", "POST /q/claim HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    [
      "a length and chunks",
      "POST /q/claim HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["headers without end", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["a request line that is too old", "GET /healthz\r\n\r\n"],
    ["no Host, and a path that cannot be decoded", "GET /%zz HTTP/1.1\r\n\r\n"],
    ["no Host, and a parameter over its cap", `GET /q/job/${"x".repeat(600)} HTTP/1.1\r\n\r\n`],
  ])("%s: a problem document with the gateway's id", async (_name, bytes) => {
    const gateway = await startGateway();
    const answer = await exchange(gateway, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("urn:render-handoff:error:malformed_http");
    expect(answer.toLowerCase()).toContain(`render-handoff-gateway: ${gateway.gatewayId}`);
    expect(answer.toLowerCase()).toMatch(/request-id: \S+/);
  });

  test.each([
    ["headers that do not end", { headersMs: 200 }, "GET /healthz HTTP/1.1\r\nHost: x\r\n"],
    [
      "a body that stops",
      { idleMs: 1_000 },
      "POST /q/claim HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
  ])("%s: request_timeout", async (_name, timeouts, bytes) => {
    const gateway = await startGateway({ timeouts });
    const { token } = await gateway.registerWorker();
    const sent = bytes.replace("Host: x\r\n", `Host: x\r\nAuthorization: Bearer ${token}\r\n`);
    const answer = await exchange(gateway, sent);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain("urn:render-handoff:error:request_timeout");
  });

  const stopped =
    "POST /q/enqueue HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n";
  test.each([
    ["/%zz", "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "unknown", 400, "malformed_http"],
    ["a path without Host", "GET /%zz HTTP/1.1\r\n\r\n", "unknown", 400, "malformed_http"],
    ["a body that stops", stopped, "enqueue", 408, "request_timeout"],
  ])(
    "%s is one line of the log and one request of the metrics",
    async (_name, bytes, route, status, code) => {
      const lines: unknown[] = [];
      const logger: Logger = {
        log: (_level, event, fields) => {
          if (event !== "request" || fields?.["route"] === "metrics") return;
          lines.push([fields?.["route"], fields?.["status"], fields?.["code"]]);
        },
      };
      const gateway = await startGateway({ logger, timeouts: { idleMs: 1_000 } });
      const sent = bytes === stopped ? `${bytes}Authorization: Bearer ${gateway.adminToken}\r\n\r\n{` : bytes;
      expect(await exchange(gateway, sent)).toContain(code);
      await expect.poll(() => lines).toEqual([[route, status, code]]);
      const told = (await gateway.call("/metrics", { token: null })).bytes.toString("utf8");
      expect(told.match(/^render_handoff_gateway_requests_total.* [^0].*$/gm)).toEqual([
        `render_handoff_gateway_requests_total{route="${route}",status="${status}"} 1`,
      ]);
    },
  );

  test("an idle connection ends without a word", async () => {
    const gateway = await startGateway({ timeouts: { keepAliveMs: 100 } });
    const answer = await exchange(gateway, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(answer).toContain('{"status":"ok"}');
  });
});

/** Sends bytes and gives everything that comes back until the gateway closes the connection. */
function exchange(gateway: TestGateway, bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}
