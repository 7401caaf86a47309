import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { openPostgresStore } from "../../../src/gateway/queue/postgres/open.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway } from "../../support/gateway.ts";
import { schemaOf } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const cluster = postgresOfFile();
const database = async (): Promise<string> =>
  cluster().url(await schemaOf(cluster(), await temporaryFolder()));
const ENQUEUE = { method: "POST", body: { task_id: "task", payload: 1, lease_seconds: 60 } };

test("a new administrator's token takes the place of the old one for every gateway that starts", async () => {
  const storeUrl = await database();
  const first = await startGateway({ storeUrl });
  const old = first.adminToken;
  await first.close();
  const dataFolder = await temporaryFolder();
  const run = await runCli("render-handoff", [
    ...["gateway", "new-admin-token", "--data", dataFolder, "--store", storeUrl, "--json"],
  ]);
  expect(run).toMatchObject({ exit: 0, stderr: "" });
  expect(run.stdout).not.toContain("rha_");
  const second = await startGateway({ storeUrl, dataFolder });
  expect(second.adminToken).not.toBe(old);
  expect((await second.call("/q/tasks")).status).toBe(200);
  expect((await second.call("/q/tasks", { token: old })).code).toBe("unauthenticated");
  expect(await codeOfPromise(startGateway({ storeUrl, dataFolder: first.dataFolder }))).toBe(
    "USAGE_TOKEN_FILE",
  );
});

describe("a newer gateway that brings the schema up to date", () => {
  test("and changes a table: statements that were prepared before are prepared anew", async () => {
    const schema = await schemaOf(cluster(), await temporaryFolder());
    const store = await openPostgresStore({ url: cluster().url(schema), clock: systemClock, connections: 3 });
    onTestFinished(() => store.close());
    const look = () => store.read((rows) => rows.checkers());
    await Promise.all([look(), look(), look()]);
    await cluster().query("ALTER TABLE checkers ADD COLUMN later TEXT", schema);
    expect(await Promise.all([look(), look(), look()])).toEqual([[], [], []]);
  });

  test("is noticed with the next connection: 503 and why, also for who asks whether it is ready", async () => {
    const schema = await schemaOf(cluster(), await temporaryFolder());
    const gateway = await startGateway({ storeUrl: cluster().url(schema) });
    await cluster().query("INSERT INTO schema_version VALUES (999, clock_timestamp())", schema);
    await cluster().query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'render-handoff'",
    );
    for (const path of ["/q/tasks", "/readyz"]) {
      const answer = await gateway.call(path);
      expect(answer).toMatchObject({ status: 503, code: "unavailable" });
      expect(String(answer.json()["detail"])).toMatch(/^GATEWAY_DATA_NEWER/);
    }
  });
});

describe("a database that pg_restore has filled", () => {
  test("goes on above every fence that was given out; one without a queue is left as it is", async () => {
    const schema = await schemaOf(cluster(), await temporaryFolder());
    const url = cluster().url(schema);
    const restore = () => runCli("render-handoff", ["gateway", "restore", "--store", url, "--json"]);
    expect((await restore()).code).toBe("GATEWAY_DATA_INVALID");
    expect(await cluster().query(`SELECT 1 FROM pg_tables WHERE schemaname = '${schema}'`)).toEqual([]);
    const gateway = await startGateway({ storeUrl: url });
    await gateway.call("/q/enqueue", ENQUEUE);
    await gateway.close();
    const { exit, stdout } = await restore();
    expect(exit).toBe(0);
    const told: unknown = JSON.parse(stdout);
    const [task] = await cluster().query("SELECT fence FROM tasks", schema);
    expect(told).toEqual({ gateway_id: gateway.gatewayId, fence_floor: Number(task?.["fence"]) });
  });
});
