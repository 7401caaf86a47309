import { expect, test } from "vitest";
import { ConformanceReport } from "../../../contracts/documents/conformance.ts";
import { behindProxy, refused } from "../../support/fault-proxy.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import type { Mutation } from "../../support/mutations.ts";
import { play } from "./play.ts";

// Test builds of the gateway with one rule broken: the modules must notice, each by its own rule.

async function failedRules(mutation: Mutation, modules: readonly string[]): Promise<string[]> {
  const { rules } = await play(await startGatewayProcess({ mutation }), modules);
  return rules.filter(({ verdict }) => verdict === "failed").map(({ rule }) => rule);
}

const ROWS: readonly (readonly [Mutation, readonly string[], string])[] = [
  ["fence-not-compared", ["fencing-idempotency"], "FENCE-02"],
  ["zombie-accepted", ["fencing-idempotency"], "FENCE-02"],
  ["fence-stands-still", ["fencing-idempotency"], "FENCE-03"],
  ["conflict-overlooked", ["fencing-idempotency"], "IDEM-02"],
  ["replay-rewritten", ["fencing-idempotency"], "IDEM-01"],
  ["spent-key-claims", ["claim"], "CLAIM-05"],
  ["slot-held-hostage", ["lease"], "LEASE-04"],
];

test.each(ROWS)("a gateway with %s fails", { timeout: 120_000 }, async (mutation, modules, rule) => {
  expect(await failedRules(mutation, modules)).toContain(rule);
});

test("a gateway that revokes nobody is told of: who of the run may still be let in", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, at) =>
    path.endsWith("/revoke") ? refused(at, { status: 503, code: "unavailable" }) : "pass",
  );
  const report = await play({ url: proxy.url, adminToken: gateway.adminToken }, ["enqueue"]);
  const people = gateway.call("/q/worker").then((answer) => Object(answer.json())["workers"]);
  const ids = (await people).map((worker: { worker_uuid: string }) => worker.worker_uuid);
  expect(ids.length).toBeGreaterThan(0);
  expect(report.not_revoked.toSorted()).toEqual(ids.toSorted());
  expect(ConformanceReport.safeParse(report).success).toBe(true);
});
