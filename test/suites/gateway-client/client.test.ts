import { expect, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { memoryHostGate } from "../../../src/gateway-client/host-gate.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { openClient } from "../../support/raw-client.ts";
import { cut, GATEWAY_ID, json, problem, rawServer, socketServer } from "../../support/raw-server.ts";

const KNOWN = { gateway_id: GATEWAY_ID, api: "render-handoff/1", keys: [] };
const LEASE = { task_id: "job.a", worker_id: "w_00000000-0000-4000-8000-000000000001" };
const CLAIMED = {
  ...LEASE,
  fencing_token: 1,
  lease_expires_at: "2027-01-15T08:00:00Z",
  lease_seconds: 60,
  state: "leased",
  version: 1,
  payload: null,
};

test("an answer comes narrowed, with its gateway and the number of attempts", async () => {
  const server = await rawServer(json(200, KNOWN));
  const answer = await openClient(server.url).wellKnown();
  expect(answer).toMatchObject({ value: KNOWN, gatewayId: GATEWAY_ID, attempts: 1 });
  expect(server.seen[0]?.headers["authorization"]).toBe("Bearer secret");
});

test("a claim whose answer is lost is sent again with the same bytes and key", async () => {
  const server = await rawServer(cut, cut, json(200, CLAIMED));
  const answer = await openClient(server.url).claim(LEASE, "key-1");
  expect(answer.attempts).toBe(3);
  expect(new Set(server.seen.map((one) => one.body.toString())).size).toBe(1);
  expect(server.seen.map((one) => one.headers["idempotency-key"])).toEqual(["key-1", "key-1", "key-1"]);
});

test("three transport attempts are the most", async () => {
  const server = await rawServer(cut);
  expect(await codeOfPromise(openClient(server.url).claim(LEASE, null))).toBe("GATEWAY_CONNECTION_LOST");
  expect(server.seen).toHaveLength(3);
});

test("a registration is sent once: a second would make a second worker", async () => {
  const server = await rawServer(cut);
  const call = openClient(server.url).registerWorker({ name: "x", operator: null, public_key: null });
  expect(await codeOfPromise(call)).toBe("GATEWAY_CONNECTION_LOST");
  expect(server.seen).toHaveLength(1);
});

test("nobody there is GATEWAY_UNREACHABLE", async () => {
  expect(await codeOfPromise(openClient("http://127.0.0.1:1").wellKnown())).toBe("GATEWAY_UNREACHABLE");
});

test("a short Retry-After is waited for, never less, and the gate is set", async () => {
  const clock = manualClock();
  const hosts = memoryHostGate();
  const server = await rawServer(problem(503, "unavailable", { "retry-after": "3" }), json(200, KNOWN));
  const answer = await openClient(server.url, { clock, hosts }).wellKnown();
  expect(answer.attempts).toBe(2);
  expect(clock.slept).toEqual([4_125]); // 3 s rounded up, and jitter
  expect(hosts.look(new URL(server.url).host).notBefore).toBe(1_800_000_004);
});

test("a Retry-After beyond what the run may wait ends the call, and the next makes no request", async () => {
  const hosts = memoryHostGate();
  const clock = manualClock();
  const server = await rawServer(problem(429, "rate_limited", { "retry-after": "120" }));
  const client = openClient(server.url, { hosts, clock });
  const error = await client.wellKnown().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "GATEWAY_UNAVAILABLE", retryAfterSeconds: 121 });
  expect(await codeOfPromise(client.claim(LEASE, null))).toBe("GATEWAY_UNAVAILABLE");
  expect(server.seen).toHaveLength(1);
  expect(clock.slept).toEqual([]);
});

test("a Retry-After as a date is kept to the second", async () => {
  const hosts = memoryHostGate();
  const server = await rawServer(
    problem(503, "unavailable", { "retry-after": "Fri, 15 Jan 2027 08:02:00 GMT" }),
  );
  expect(await codeOfPromise(openClient(server.url, { hosts }).wellKnown())).toBe("GATEWAY_UNAVAILABLE");
  expect(hosts.look(new URL(server.url).host).notBefore).toBe(1_800_000_120);
});

test("a Retry-After over 30 days holds the host until it is cleared", async () => {
  const hosts = memoryHostGate();
  const server = await rawServer(
    problem(503, "unavailable", { "retry-after": "9".repeat(30) }),
    json(200, KNOWN),
  );
  const client = openClient(server.url, { hosts });
  expect(await codeOfPromise(client.wellKnown())).toBe("GATEWAY_HELD");
  expect(await codeOfPromise(client.wellKnown())).toBe("GATEWAY_HELD");
  expect(server.seen).toHaveLength(1);
  hosts.clear(new URL(server.url).host);
  expect(await codeOfPromise(client.wellKnown())).toBeNull();
});

test("a gate is waited through only while patience lasts", async () => {
  const server = await rawServer(problem(503, "unavailable", { "retry-after": "4" }));
  const clock = manualClock();
  expect(await codeOfPromise(openClient(server.url, { clock, maxWaitMs: 6_000 }).wellKnown())).toBe(
    "GATEWAY_UNAVAILABLE",
  );
  expect(server.seen).toHaveLength(2);
  expect(clock.slept).toEqual([5_125]);
});

test("a refusal of the lease carries the wire code and when to come back, and sets no gate", async () => {
  const hosts = memoryHostGate();
  const server = await rawServer(problem(409, "already_leased", { "retry-after": "17" }));
  const error = await openClient(server.url, { hosts })
    .claim(LEASE, null)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "already_leased", wireCode: "already_leased", retryAfterSeconds: 18 });
  expect(server.seen).toHaveLength(1);
  expect(hosts.look(new URL(server.url).host).notBefore).toBeNull();
});

test("a token that is not accepted is GATEWAY_UNAUTHORIZED, for HEAD too", async () => {
  const server = await rawServer(problem(401, "unauthenticated"));
  const client = openClient(server.url);
  expect(await codeOfPromise(client.wellKnown())).toBe("GATEWAY_UNAUTHORIZED");
  expect(await codeOfPromise(client.headBlob("0".repeat(64)))).toBe("GATEWAY_UNAUTHORIZED");
});

test("a HEAD that is forbidden is GATEWAY_REFUSED", async () => {
  const server = await rawServer(problem(403, "role_forbidden"));
  expect(await codeOfPromise(openClient(server.url).headBlob("0".repeat(64)))).toBe("GATEWAY_REFUSED");
});

test("a redirect is not followed", async () => {
  const server = await rawServer((_, response) => response.writeHead(307, { location: "/x" }).end());
  expect(await codeOfPromise(openClient(server.url).wellKnown())).toBe("GATEWAY_REDIRECT");
  expect(server.seen).toHaveLength(1);
});

test.each([
  ["no JSON", (response: import("node:http").ServerResponse) => response.end("<html>")],
  ["another shape", (response: import("node:http").ServerResponse) => response.end('{"gateway_id":1}')],
  [
    "a key twice",
    (response: import("node:http").ServerResponse) =>
      response.end(`{"gateway_id":"${GATEWAY_ID}","api":"render-handoff/1","keys":[],"keys":[]}`),
  ],
  [
    "no gateway's name",
    (response: import("node:http").ServerResponse) => {
      response.removeHeader("render-handoff-gateway");
      response.end(JSON.stringify(KNOWN));
    },
  ],
])("%s is GATEWAY_RESPONSE_INVALID", async (_, answer) => {
  const server = await rawServer((__, response) => answer(response));
  expect(await codeOfPromise(openClient(server.url).wellKnown())).toBe("GATEWAY_RESPONSE_INVALID");
});

test("bytes that are no HTTP are GATEWAY_RESPONSE_INVALID", async () => {
  const server = await socketServer((socket) => socket.end("no http at all\r\n\r\n"));
  expect(await codeOfPromise(openClient(server.url).wellKnown())).toBe("GATEWAY_RESPONSE_INVALID");
});

test("an answer that is cut short is asked for again", async () => {
  const whole = JSON.stringify(KNOWN);
  const head = `HTTP/1.1 200 OK\r\nrender-handoff-gateway: ${GATEWAY_ID}\r\ncontent-length: ${whole.length}\r\n\r\n`;
  const server = await socketServer((socket, n) => socket.end(head + (n === 1 ? whole.slice(0, 20) : whole)));
  expect((await openClient(server.url).wellKnown()).attempts).toBe(2);
});

test("an answer over its cap is given up", async () => {
  const server = await rawServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
      response.once("drain", more);
    };
    more();
  });
  expect(await codeOfPromise(openClient(server.url).wellKnown())).toBe("GATEWAY_RESPONSE_TOO_LARGE");
});

test("another gateway at the known address is refused", async () => {
  const other = `g_00000000-0000-4000-8000-000000000002`;
  const server = await rawServer(json(200, KNOWN));
  const client = openClient(server.url, { hosts: memoryHostGate(other) });
  expect(await codeOfPromise(client.wellKnown())).toBe("GATEWAY_IDENTITY_CHANGED");
});

test("a proxy's 502 is tried again", async () => {
  const server = await rawServer((_, response) => response.writeHead(502).end("<html>"), json(200, KNOWN));
  expect((await openClient(server.url).wellKnown()).attempts).toBe(2);
});

test("an answer that never comes ends at the time-out of the whole exchange", async () => {
  const server = await rawServer(() => {});
  // this clock's time-out is over at once
  const hasty = { ...manualClock(), sleep: () => Promise.resolve() };
  expect(await codeOfPromise(openClient(server.url, { clock: hasty }).wellKnown())).toBe("GATEWAY_TIMEOUT");
});

test("the caller's abort ends a call with the caller's reason", async () => {
  const controller = new AbortController();
  const server = await rawServer(() => controller.abort(new HandoffError("INTERRUPTED")));
  const client = openClient(server.url, { signal: controller.signal, clock: systemClock });
  expect(await codeOfPromise(client.wellKnown())).toBe("INTERRUPTED");
  expect(server.seen).toHaveLength(1);
});

test("every exchange is told, without the token", async () => {
  const server = await rawServer(problem(500, "internal_error"), json(200, KNOWN));
  const told: unknown[] = [];
  await openClient(server.url, { onExchange: (record) => told.push(record) }).wellKnown();
  expect(told).toMatchObject([
    { route: "wellKnown", attempt: 1, status: 500, code: "internal_error" },
    { route: "wellKnown", attempt: 2, status: 200, code: null },
  ]);
  expect(JSON.stringify(told)).not.toContain("secret");
});

test("a receipt comes with its exact bytes and whether it was replayed", async () => {
  const receipt = {
    fencing_token: 1,
    idempotency_key: "k",
    lease_expires_at: "2027-01-15T08:00:00Z",
    request_sha256: "0".repeat(64),
    result_sha256: "0".repeat(64),
    state: "done",
    task_id: "job.a",
    worker_id: LEASE.worker_id,
  };
  const server = await rawServer(json(200, receipt, { "idempotent-replayed": "true" }));
  const { value } = await openClient(server.url).submit(Buffer.from("{}"), "k");
  expect(value).toMatchObject({ receipt, replayed: true, superseded: false });
  expect(value.bytes.toString()).toBe(JSON.stringify(receipt));
  expect(server.seen[0]?.body.toString()).toBe("{}");
});
