import { expect, test } from "vitest";
import type { RuleVerdict } from "../../../contracts/documents/conformance.ts";
import { loadModules, standardConfiguration } from "../../../src/conformance/configuration.ts";
import { runConformance } from "../../../src/conformance/run-conformance.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import type { Mutation } from "../../support/mutations.ts";

// Test builds of the gateway with one rule broken: the modules must notice, each by its own rule.

async function failedRules(mutation: Mutation, modules: readonly string[]): Promise<string[]> {
  const gateway = await startGatewayProcess({ mutation });
  const configuration = { ...(await standardConfiguration()), memory_bytes: 2 ** 40 };
  const loaded = await loadModules(configuration, []);
  const verdicts: RuleVerdict[] = [];
  await runConformance({
    modules: loaded.filter(({ module }) => modules.includes(module.name)),
    configuration,
    subject: { url: gateway.url, adminToken: gateway.adminToken, allowInsecure: false, process: null },
    clock: systemClock,
    signal: new AbortController().signal,
    tell: (verdict) => verdicts.push(verdict),
  });
  return verdicts.filter(({ verdict }) => verdict === "failed").map(({ rule }) => rule);
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
