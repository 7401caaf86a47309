import { describe, expect, test } from "vitest";
import { ROUTES } from "../../../contracts/routes.ts";
import type { Route } from "../../../contracts/wire/route.ts";
import { startGateway } from "../../support/gateway.ts";

const table: [string, Route][] = Object.entries(ROUTES);

describe("tokens", () => {
  test("every route refuses a revoked worker from the next request on, and its sibling goes on", async () => {
    const gateway = await startGateway();
    const [one, two] = [await gateway.registerWorker(), await gateway.registerWorker()];
    await gateway.call(`/q/worker/${one.workerUuid}/revoke`, { method: "POST" });
    for (const [name, route] of table.filter(([, each]) => each.who !== "open")) {
      const at = route.path.replaceAll(/\{\w+\}/g, "none");
      const answer = await gateway.call(at, { method: route.method, token: one.token });
      expect([name, answer.status]).toEqual([name, 403]);
    }
    expect((await gateway.call("/q/tasks", { token: two.token })).status).toBe(200);
  });

  test.each([
    ["twice", (token: string) => ({ authorization: [`Bearer ${token}`, `Bearer ${token}`] })],
    ["as basic", (token: string) => ({ authorization: `Basic ${token}` })],
    [
      "with a space in it",
      (token: string) => ({ authorization: `Bearer ${token.slice(0, 9)} ${token.slice(9)}` }),
    ],
    ["cut short", (token: string) => ({ authorization: `Bearer ${token.slice(0, -1)}` })],
    ["with one more character", (token: string) => ({ authorization: `Bearer ${token}A` })],
    ["in another case", (token: string) => ({ authorization: `Bearer ${token.toUpperCase()}` })],
  ])("a token given %s is none", async (_name, headers) => {
    const gateway = await startGateway();
    const sent = { token: null, headers: headers(gateway.adminToken) };
    expect((await gateway.call("/q/tasks", sent)).code).toBe("unauthenticated");
  });

  test("of a worker are bound to its id in every body that names one", async () => {
    const gateway = await startGateway();
    const [one, two] = [await gateway.registerWorker(), await gateway.registerWorker()];
    const held = { task_id: "task", worker_id: two.workerUuid, fencing_token: 1 };
    const bodies = {
      "/q/claim": { task_id: "task", worker_id: two.workerUuid },
      "/q/heartbeat": { ...held, progress: null },
      "/q/release": { ...held, reason: "X" },
      "/q/submit": { ...held, result: 1 },
    };
    for (const [route, body] of Object.entries(bodies)) {
      const sent = { method: "POST", token: one.token, body, headers: { "idempotency-key": "k" } };
      expect([route, (await gateway.call(route, sent)).code]).toEqual([route, "worker_identity_mismatch"]);
    }
  });
});
