import { describe, expect, test } from "vitest";
import { Problem } from "../../../contracts/documents/records.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { ROUTES } from "../../../contracts/routes.ts";
import type { Route } from "../../../contracts/wire/route.ts";
import { startGateway } from "../../support/gateway.ts";

const table: [string, Route][] = Object.entries(ROUTES);
const ID = "00000000-0000-4000-8000-000000000000";
/** A path of the route with parameters that follow their schemas. */
const pathOf = (route: Route): string =>
  route.path
    .replace("{sha256}", "a".repeat(64))
    .replace("{id}", route.path.startsWith("/q/checker") ? `c_${ID}` : `w_${ID}`)
    .replaceAll(/\{\w+\}/g, "none")
    // a stream that begins would not end
    .replace(/^\/q\/events$/, "/q/events?after=none");

describe("every route", () => {
  const closed = table.filter(([, route]) => route.who !== "open");

  test.each(closed)(
    "%s is refused without a token, and with one that was never issued",
    async (name, route) => {
      const gateway = await startGateway({ pageToken: true });
      const none = route.openOnLoopback === true ? [] : [null];
      for (const token of [...none, `rhc_${"A".repeat(43)}`, "x"]) {
        const answer = await gateway.call(pathOf(route), { method: route.method, token });
        expect(answer.status).toBe(401);
        // a person is shown the login form instead of a document
        if (name === "page") expect(answer.headers["content-type"]).toMatch(/^text\/html/);
        else if (route.method !== "HEAD") expect(answer.code).toBe("unauthenticated");
      }
    },
  );

  test("lets exactly the roles of the table in", async () => {
    const gateway = await startGateway();
    const tokens = {
      administrator: gateway.adminToken,
      worker: (await gateway.registerWorker()).token,
      checker: (await gateway.registerChecker()).token,
    };
    for (const [name, route] of closed) {
      for (const [role, token] of Object.entries(tokens)) {
        const answer = await gateway.call(pathOf(route), { method: route.method, token });
        const allowed = route.who !== "open" && route.who.some((one) => one === role);
        if (!allowed) expect([name, role, answer.status]).toEqual([name, role, 403]);
        else expect([name, role, answer.code]).not.toEqual([name, role, "role_forbidden"]);
      }
    }
  });

  test("names its gateway and its request in every answer, errors too", async () => {
    const gateway = await startGateway();
    const seen = new Set<string>();
    for (const [, route] of table) {
      const { headers } = await gateway.call(pathOf(route), { method: route.method, token: null });
      expect(headers["render-handoff-gateway"]).toBe(gateway.gatewayId);
      seen.add(String(headers["request-id"]));
    }
    expect(seen.size).toBe(table.length);
  });

  test("stands in the OpenAPI document that is served", async () => {
    const gateway = await startGateway();
    const document = (await gateway.call("/openapi.json", { token: null })).json();
    expect(document["openapi"]).toBe("3.1.0");
    const paths = Object.entries(document["paths"] ?? {});
    const operations = paths.flatMap(([, methods]) => Object.values(methods ?? {}));
    expect(operations.map((operation) => Object(operation).operationId).sort()).toEqual(
      table.map(([name]) => name).sort(),
    );
  });
});

describe("a request that no route takes", () => {
  test.each([
    ["/nothing", "GET", 404, "route_unknown"],
    ["/q/nothing", "POST", 404, "route_unknown"],
    ["/q/claim/", "POST", 404, "route_unknown"],
    ["/q/claim", "GET", 405, "method_not_allowed"],
    ["/healthz", "DELETE", 405, "method_not_allowed"],
    ["/q/job/x", "PATCH", 405, "method_not_allowed"],
    [`/q/job/${"x".repeat(600)}`, "GET", 404, "route_unknown"],
    ["/q/job/%zz", "GET", 400, "malformed_http"],
  ])("%s with %s ends as a problem document", async (path, method, status, code) => {
    const gateway = await startGateway();
    const answer = await gateway.call(path, { method });
    expect(answer).toMatchObject({ status, code });
    expect(Problem.safeParse(answer.json()).success).toBe(true);
    expect(answer.headers["render-handoff-gateway"]).toBe(gateway.gatewayId);
  });

  test("405 names the methods that there are", async () => {
    const gateway = await startGateway();
    const answer = await gateway.call(`/q/blob/${"a".repeat(64)}`, { method: "POST", body: "" });
    expect(answer.headers["allow"]?.split(", ").sort()).toEqual(["GET", "HEAD", "PUT"]);
  });
});

describe("bodies, paths and queries", () => {
  test.each([
    ["another media type", { "content-type": "text/plain" }, "unsupported_media_type"],
    ["a malformed media type", { "content-type": "json" }, "unsupported_media_type"],
    ["a content coding", { "content-encoding": "gzip" }, "unsupported_media_type"],
  ])("%s is refused", async (_name, headers, code) => {
    const gateway = await startGateway();
    const answer = await gateway.call("/q/enqueue", { method: "POST", headers, body: {} });
    expect(answer.code).toBe(code);
  });

  test.each([
    ["[", "invalid_json"],
    ["", "invalid_json"],
    ['"\ud800"', "invalid_request_shape"],
    ['{"task_id":"a","task_id":"a"}', "duplicate_json_key"],
    ['{"task_id":"a","payload":1,"lease_seconds":9007199254740993}', "invalid_json"],
    ['{"task_id":"a b","payload":1,"lease_seconds":1}', "invalid_request_shape"],
    ['{"task_id":"a","payload":1,"lease_seconds":1,"more":1}', "invalid_request_shape"],
    ['{"task_id":"a","payload":1,"lease_seconds":0}', "invalid_request_shape"],
    [`{"task_id":"a","lease_seconds":1,"payload":${"[".repeat(70)}${"]".repeat(70)}}`, "invalid_json"],
  ])("the body %s is refused", async (body, code) => {
    const gateway = await startGateway();
    expect((await gateway.call("/q/enqueue", { method: "POST", body })).code).toBe(code);
  });

  test("a body over its cap is refused, stated or not", async () => {
    const gateway = await startGateway();
    const body = Buffer.alloc(LIMITS.smallBodyBytes + 1, " ");
    const headers = { "transfer-encoding": "chunked", "content-length": [] };
    for (const extra of [{}, headers]) {
      const answer = await gateway.call("/q/reopen", { method: "POST", body, headers: extra });
      expect(answer).toMatchObject({ status: 413, code: "body_too_large" });
    }
  });

  test("a submit or a task of more JSON values, or different keys, than the cap is refused unread", async () => {
    const gateway = await startGateway();
    const { token } = await gateway.registerWorker();
    const values = `[${Array(LIMITS.bodyValues).fill("{}").join(",")}]`;
    const keys = `{${Array.from({ length: LIMITS.bodyKeys + 1 }, (_, at) => `"${at}":0`).join(",")}}`;
    for (const [path, as] of [["/q/submit", token] as const, ["/q/enqueue", gateway.adminToken] as const])
      for (const body of [values, keys]) {
        const headers = { "idempotency-key": "key-1" };
        const answer = await gateway.call(path, { method: "POST", token: as, headers, body });
        expect(answer).toMatchObject({ status: 413, code: "body_too_large" });
      }
  });

  test("a text with U+0000 is refused wherever people or workers write one, whatever the store", async () => {
    const gateway = await startGateway();
    const { workerUuid, token } = await gateway.registerWorker();
    const nul = "a\u0000b";
    const held = { task_id: "t", worker_id: workerUuid, fencing_token: 1 };
    const person = { name: "n", operator: null, public_key: null };
    const rows: [path: string, as: string, body: unknown][] = [
      ["/q/worker", gateway.adminToken, { ...person, name: nul }],
      ["/q/worker", gateway.adminToken, { ...person, operator: nul }],
      ["/q/worker", gateway.adminToken, { ...person, public_key: nul }],
      ["/q/checker", gateway.adminToken, { name: nul }],
      ["/q/reopen", gateway.adminToken, { task_id: "t", reason: nul }],
      ["/q/release", token, { ...held, reason: nul }],
      ["/q/submit", token, { ...held, task_id: nul, result: 1 }],
    ];
    for (const [path, as, body] of rows) {
      const headers = { "idempotency-key": "key-1" };
      const answer = await gateway.call(path, {
        method: "POST",
        token: as,
        headers,
        body: JSON.stringify(body),
      });
      expect([path, answer.code]).toEqual([path, "invalid_request_shape"]);
    }
    expect((await gateway.call("/?q=a%00b")).status).toBe(422);
  });

  test("a route without a body refuses one", async () => {
    const gateway = await startGateway();
    const { workerUuid } = await gateway.registerWorker();
    const path = `/q/worker/${workerUuid}/revoke`;
    expect((await gateway.call(path, { method: "POST", body: { x: 1 } })).code).toBe("invalid_request_shape");
    expect((await gateway.call(path, { method: "POST" })).status).toBe(200);
  });

  test.each([
    "/q/tasks?state=held",
    "/q/tasks?limit=0",
    "/q/tasks?limit=1001",
    "/q/tasks?limit=1&limit=1",
    "/q/tasks?more=1",
    "/q/tasks?cursor=never",
    "/q/task/none?version=1",
    "/q/receipt/none?version=0",
    "/q/object/none?version=x",
    "/q/object/none?sha256=x",
    "/q/job/UPPER",
    "/q/blob/abc",
  ])("%s does not follow its schema", async (path) => {
    const gateway = await startGateway();
    expect((await gateway.call(path)).code).toBe("invalid_request_shape");
  });
});
