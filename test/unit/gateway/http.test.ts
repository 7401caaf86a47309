import fc from "fast-check";
import { expect, test } from "vitest";
import { workerOfToken } from "../../../contracts/patterns.ts";
import { COMMON_CODES, ROUTES } from "../../../contracts/routes.ts";
import { GATEWAY_METRICS } from "../../../contracts/telemetry.ts";
import type { Route } from "../../../contracts/wire/route.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { bearerToken } from "../../../src/gateway/http/bearer.ts";
import { openapiDocument } from "../../../src/gateway/http/openapi.ts";
import { isLoopback } from "../../../src/gateway/http/page-access.ts";
import { problemOf } from "../../../src/gateway/http/problem.ts";
import { readRange } from "../../../src/gateway/http/range.ts";
import { brokenAnswer } from "../../../src/gateway/http/respond.ts";
import { newToken } from "../../../src/gateway/people/token.ts";

test.each([
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["localhost", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["127.0.0.1.example.org", false],
  ["localhost.example.org", false],
])("%s is an address of this machine alone: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test.each([
  [["Bearer abc"], "abc"],
  [["bearer   abc "], "abc"],
  [["Basic abc"], null],
  [["Bearer a b"], null],
  [["Bearer "], null],
  [["Bearer abc", "Bearer abc"], null],
  [[], null],
])("the Authorization header %j gives %j", (values, expected) => {
  expect(bearerToken(values)).toBe(expected);
});

test("a range is inside the blob, or there is none, whatever the header says", () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.option(fc.nat()), fc.option(fc.nat())).map(([a, b]) => `bytes=${a ?? ""}-${b ?? ""}`),
  );
  fc.assert(
    fc.property(header, fc.nat(), (text, bytes) => {
      const range = readRange(text, bytes);
      if (range.kind !== "part") return true;
      return 0 <= range.first && range.first <= range.last && range.last < bytes;
    }),
  );
});

test("tokens name their role, and two are never the same", () => {
  const workerUuid = "w_12345678-1234-4123-8123-123456789abc";
  const token = newToken({ role: "worker", workerUuid });
  expect(token).toMatch(/^rhw_[A-Za-z0-9_-]{76}$/);
  expect(workerOfToken(token)).toBe(workerUuid);
  expect(newToken({ role: "checker" })).toMatch(/^rhc_[A-Za-z0-9_-]{43}$/);
  expect(newToken({ role: "administrator" })).not.toBe(newToken({ role: "administrator" }));
});

test("a problem tells the particular case, and of an unknown fault nothing", () => {
  const known = problemOf(new HandoffError("already_leased", "By someone.", { retryAfterSeconds: 7 }));
  expect(known).toMatchObject({
    status: 409,
    headers: { "retry-after": "7" },
    body: { detail: "By someone." },
  });
  const unknown = problemOf(new Error("/secret/path"));
  expect(unknown).toMatchObject({ status: 500, code: "internal_error" });
  expect(JSON.stringify(unknown.body)).not.toContain("secret");
  const store = problemOf(new HandoffError("GATEWAY_STORE_FAILED", "EIO."));
  expect(store).toMatchObject({ status: 503, code: "unavailable", headers: { "retry-after": "5" } });
});

test("OpenAPI says what a preview needs, and describes whatever a route answers with", () => {
  const paths = Object(openapiDocument()["paths"]);
  const { parameters, responses } = paths["/q/preview/{task_id}"].put;
  const needed = parameters.filter(Object).filter((one: { required: boolean }) => one.required);
  expect(needed.map((one: { name: string }) => one.name)).toEqual(["task_id", "frame", "fencing-token"]);
  expect(Object.keys(responses)).toContain("200");
});

test("OpenAPI and the check of answers know the same statuses of each route", () => {
  const { paths } = Object(openapiDocument());
  const good = (path: string, method: string): string[] =>
    Object.entries(paths[path][method].responses)
      .filter(([, response]) => Object(response).content?.["application/problem+json"] === undefined)
      .map(([status]) => status);
  expect(good("/q/claim", "post")).toEqual(["200"]);
  for (const path of ["/q/job", "/q/enqueue", "/q/verdict"])
    expect(good(path, "post")).toEqual(["200", "201"]);
  expect(good("/q/blob/{sha256}", "put")).toEqual(["200", "201"]);
  expect(good("/q/blob/{sha256}", "get")).toEqual(["200", "206"]);
  for (const path of ["/q/worker", "/q/checker"]) expect(good(path, "post")).toEqual(["201"]);
  expect(good("/login", "post")).toEqual(["303", "401"]);
  const table: Route[] = Object.values(ROUTES);
  for (const route of table.filter(({ answer }) => answer === "text"))
    for (const status of [200, 201, 202, 204, 206, 303, 401])
      expect([route.path, status, brokenAnswer(route, { kind: "empty", status }) === null]).toEqual([
        route.path,
        status,
        good(route.path, route.method.toLowerCase()).includes(String(status)),
      ]);
  const answer = { kind: "json", value: { task_id: "t", created: true } } as const;
  expect(brokenAnswer(ROUTES.enqueue, { ...answer, status: 201 })).toBe(null);
  expect(brokenAnswer(ROUTES.enqueue, { ...answer, status: 202 })).toBe("the status 202 is not listed");
});

test("OpenAPI names the headers that a route reads and those that its answers have", () => {
  const { paths, components } = Object(openapiDocument());
  const read = (path: string, method: string): string[] =>
    paths[path][method].parameters
      .filter((one: { in: string }) => one.in === "header")
      .map((one: { name: string; required: boolean }) => `${one.name}${one.required ? "!" : ""}`);
  const said = (path: string, method: string, status = "200"): string[] =>
    Object.keys(paths[path][method].responses[status].headers);
  expect(read("/q/claim", "post")).toEqual(["idempotency-key", "request-id"]);
  expect(read("/q/submit", "post")).toEqual(["idempotency-key!", "request-id"]);
  expect(read("/q/blob/{sha256}", "get")).toEqual(["if-range", "range", "request-id"]);
  expect(read("/q/blob/{sha256}", "put")).toEqual([
    "content-digest",
    "content-length!",
    "fencing-token",
    "request-id",
    "task-id",
  ]);
  expect(read("/q/events", "get")).toEqual(["last-event-id", "request-id"]);
  expect(said("/q/submit", "post")).toEqual(expect.arrayContaining(["idempotent-replayed", "superseded"]));
  expect(said("/q/claim", "post")).toContain("idempotent-replayed");
  expect(said("/q/claim", "post", "409")).toContain("retry-after");
  expect(said("/q/blob/{sha256}", "get")).toEqual(
    expect.arrayContaining(["content-range", "content-digest", "repr-digest", "etag"]),
  );
  expect(said("/q/blob/{sha256}", "get", "416")).toContain("content-range");
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses }] of Object.entries<{ responses: object }>(Object(methods)))
      for (const status of Object.keys(responses)) {
        const headers = said(path, method, status);
        expect(headers).toEqual(expect.arrayContaining(["render-handoff-gateway", "request-id"]));
        for (const name of headers) expect(components.headers).toHaveProperty(name);
        if (status === "429" || status === "503") expect(headers).toContain("retry-after");
      }
});

test("OpenAPI lists what a route without a token refuses all the same", () => {
  const { paths } = Object(openapiDocument());
  const statuses = (path: string, method: string) => Object.keys(paths[path][method].responses);
  for (const path of ["/healthz", "/openapi.json", "/page.js"])
    expect(statuses(path, "get")).toEqual(expect.arrayContaining(["400", "408", "422", "500", "503"]));
  for (const path of ["/login", "/logout"])
    expect(statuses(path, "post")).toEqual(expect.arrayContaining(["400", "408", "413", "415"]));
});

test("every route that writes under a lease is one whose refusals of a stale lease are counted", () => {
  const table: [string, Route][] = Object.entries(ROUTES);
  const guarded = table.filter(([, { codes }]) => codes.includes("stale_or_invalid_lease"));
  expect(GATEWAY_METRICS.render_handoff_gateway_stale_refusals_total.labels.route).toEqual(
    guarded.map(([name]) => name).sort(),
  );
});

test("OpenAPI lists every code of every route", () => {
  const text = JSON.stringify(openapiDocument());
  const table: Route[] = Object.values(ROUTES);
  for (const code of [...table.flatMap((route) => route.codes), ...COMMON_CODES])
    expect(text).toContain(code);
});
