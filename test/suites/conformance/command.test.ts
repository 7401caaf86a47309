import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConformanceReport } from "../../../contracts/documents/conformance.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { temporaryFolder } from "../../support/temporary.ts";

interface Run {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command: running from sources would count the type stripper's memory too. */
const conformance = (args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const bin = join(import.meta.dirname, "../../../dist/src/cli/bin/render-handoff.js");
    const env = { PATH: process.env["PATH"], HOME: "/nonexistent", LANG: "C" };
    const child = execFile(process.execPath, [bin, "conformance", ...args], { env }, (_, stdout, stderr) =>
      resolve({ exit: child.exitCode, stdout, stderr }),
    );
  });

test("a run against the embedded gateway passes every rule in under 120 MB", async () => {
  const { exit, stdout, stderr } = await conformance(["run", "--json"]);
  expect(exit, stderr).toBe(0);
  const report = ConformanceReport.parse(JSON.parse(stdout));
  expect(report.rules.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
  expect(report).toMatchObject({ verdict: "passed", embedded: true, not_revoked: [] });
  expect(report.peak_rss_bytes).toBeLessThan(120_000_000);
  console.log(
    `conformance: ${report.rules.length} rules passed, peak ${(report.peak_rss_bytes / 1e6).toFixed(1)} MB, ${report.duration_ms} ms`,
  );
});

test("against a gateway of others, what needs its process is not applicable, and the workers are revoked", async () => {
  const gateway = await startGatewayProcess();
  const target = ["--gateway", gateway.url, "--admin-token-file", gateway.adminTokenFile];
  const { exit, stdout } = await conformance([
    ...["run", "contracts/modules/fencing-idempotency", "contracts/modules/durability", "--json"],
    ...target,
  ]);
  expect(exit).toBe(0);
  const report = ConformanceReport.parse(JSON.parse(stdout));
  const skipped = report.rules.filter(({ verdict }) => verdict === "not_applicable").map(({ rule }) => rule);
  expect(skipped).toEqual(["OUTBOX-01", "DURABLE-01", "DURABLE-02", "DURABLE-03"]);
  expect(report.gateway_id).toBe(gateway.gatewayId);
  const { workers } = (await gateway.call("/q/worker")).json() as { workers: { revoked_at: unknown }[] };
  expect(workers.length).toBeGreaterThanOrEqual(2);
  expect(workers.filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
});

test("a gateway with fencing sabotaged exits 1 and fails FENCE-02", async () => {
  const gateway = await startGatewayProcess({ mutation: "fence-not-compared" });
  const target = ["--gateway", gateway.url, "--admin-token-file", gateway.adminTokenFile];
  const { exit, stdout, stderr } = await conformance([
    ...["run", "contracts/modules/fencing-idempotency"],
    ...target,
  ]);
  expect([exit, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^FAILED +FENCE-02 /m);
  expect(stdout).toMatch(/^not applicable +OUTBOX-01 /m);
});

test("one changed byte of a ledger exits 4 and names the file, and nothing is played", async () => {
  const folder = join(await temporaryFolder(), "fencing-idempotency");
  await cp("contracts/modules/fencing-idempotency", folder, { recursive: true });
  const ledger = join(folder, "ledger.json");
  await writeFile(ledger, (await readFile(ledger, "utf8")).replace("stale_or_invalid_lease", "ok"));
  const { exit, stdout, stderr } = await conformance(["run", folder]);
  expect(exit).toBe(4);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^CONFORMANCE_MODULE_CHANGED: /);
  expect(stderr).toContain(ledger);
});

test("a configuration pins modules and memory; one that allows too little is told so", async () => {
  const folder = await temporaryFolder();
  const registry = JSON.parse(await readFile("contracts/registry.json", "utf8"));
  const configuration = (memory: number) => ({
    schema: "render_handoff.conformance_configuration.v1",
    modules: registry.modules.filter(({ name }: { name: string }) => name === "enqueue"),
    memory_bytes: memory,
  });
  const path = join(folder, "configuration.json");
  await writeFile(path, JSON.stringify(configuration(1_000_000)));
  const small = await conformance(["run", "--config", path]);
  expect([small.exit, small.stderr.split(":")[0]]).toEqual([4, "CONFORMANCE_MEMORY"]);
  const unpinned = await conformance(["run", "contracts/modules/claim", "--config", path]);
  expect([unpinned.exit, unpinned.stderr.split(":")[0]]).toEqual([4, "CONFORMANCE_MODULE_UNPINNED"]);
  await writeFile(path, "{}");
  const invalid = await conformance(["run", "--config", path]);
  expect([invalid.exit, invalid.stderr.split(":")[0]]).toEqual([2, "USAGE_FILE_INVALID"]);
});

test("list finds a module by its words", async () => {
  const { exit, stdout } = await conformance(["list", "--search", "split brain worker", "--json"]);
  expect(exit).toBe(0);
  const names = JSON.parse(stdout).modules.map(({ name }: { name: string }) => name);
  expect(names[0]).toBe("fencing-idempotency");
});
