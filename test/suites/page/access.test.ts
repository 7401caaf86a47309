import { describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import type { Answered } from "../../support/gateway-call.ts";

const look = (gateway: TestGateway, headers: Record<string, string> = {}): Promise<Answered> =>
  gateway.call("/", { token: null, headers });
const login = (gateway: TestGateway, token: string, headers: Record<string, string> = {}) =>
  gateway.call("/login", {
    method: "POST",
    token: null,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
const cookieOf = (answer: Answered): string => String(answer.headers["set-cookie"]);

describe("who may read the page", () => {
  test("on this machine everybody, with a policy that lets the page do nothing but ask its gateway", async () => {
    const gateway = await startGateway();
    const answer = await look(gateway);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["referrer-policy"]).toBe("no-referrer");
    expect(answer.bytes.toString()).not.toMatch(/ style=|<script>| on[a-z]+=/);
  });

  test("through a foreign name, from a foreign page or behind a proxy nobody without a token", async () => {
    const gateway = await startGateway();
    const { port } = new URL(gateway.url);
    expect((await look(gateway, { host: `rebound.example:${port}` })).status).toBe(401);
    expect((await look(gateway, { "sec-fetch-site": "cross-site" })).status).toBe(401);
    expect((await look(await startGateway({ behindProxy: true }))).status).toBe(401);
    expect((await look(await startGateway({ pageToken: true }))).status).toBe(401);
  });

  test("a checker's and the administrator's token open it, a worker's does not, and a revoked one no longer", async () => {
    const gateway = await startGateway({ pageToken: true });
    const checker = await gateway.registerChecker();
    const worker = await gateway.registerWorker();
    for (const token of [checker.token, gateway.adminToken])
      expect((await gateway.call("/", { token })).status).toBe(200);
    expect((await gateway.call("/", { token: worker.token })).status).toBe(403);
    expect((await login(gateway, worker.token)).status).toBe(401);
    expect((await login(gateway, "no token")).status).toBe(401);

    const answer = await login(gateway, checker.token);
    expect([answer.status, answer.headers.location]).toEqual([303, "/"]);
    expect(cookieOf(answer)).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = cookieOf(answer).split(";")[0] ?? "";
    expect((await look(gateway, { cookie })).status).toBe(200);
    expect((await look(gateway, { cookie: `${cookie}; ${cookie}` })).status).toBe(401);
    // the cookie is for the page and nothing else
    expect((await gateway.call("/q/tasks", { token: null, headers: { cookie } })).code).toBe(
      "unauthenticated",
    );
    await gateway.call(`/q/checker/${checker.checkerUuid}/revoke`, { method: "POST" });
    expect((await look(gateway, { cookie })).status).toBe(403);
  });

  test("a login from another site is refused, and under TLS the cookie is for TLS", async () => {
    const gateway = await startGateway({ behindProxy: true });
    const { token } = await gateway.registerChecker();
    expect((await login(gateway, token, { "sec-fetch-site": "cross-site" })).status).toBe(401);
    expect(cookieOf(await login(gateway, token))).toMatch(/; Secure$/);
    const out = await gateway.call("/logout", { method: "POST", token: null });
    expect(cookieOf(out)).toContain("Max-Age=0");
  });
});
