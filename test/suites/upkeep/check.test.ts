import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { blobPath } from "../../../src/gateway/blobs/folder/open.ts";
import { type CheckOptions, checkGateway } from "../../../src/gateway/upkeep/check.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { putSampleJob, SCENE, winSlot } from "../../support/gateway-job.ts";
import { type PostgresCluster, schemaOf, startPostgres } from "../../support/postgres.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { outside, post } from "../gateway/route-calls.ts";
import { BUNDLE_SHA256, fullGateway } from "./full-gateway.ts";

const check = async (gateway: TestGateway, change: Partial<CheckOptions> = {}) => {
  const report = await checkGateway({
    dataFolder: gateway.dataFolder,
    storeUrl: null,
    blobsUrl: null,
    quick: false,
    clock: systemClock,
    ...change,
  });
  return { report, codes: report.findings.map(({ code }) => code) };
};
const cli = async (...args: string[]) => runCli("render-handoff", ["gateway", "check", ...args]);
const blobOf = (gateway: TestGateway, digest: string): string =>
  blobPath(join(gateway.dataFolder, "blobs"), digest);
const other = sha256("another");

describe("check", () => {
  test("finds nothing in a gateway that is sound, while it serves and after, and counts what it looked at", async () => {
    const { gateway } = await fullGateway();
    const { token } = await gateway.registerChecker();
    expect(token).toMatch(/^rhc_/);
    const serving = await cli("--data", gateway.dataFolder, "--json");
    expect(serving.exit).toBe(0);
    expect(JSON.parse(serving.stdout)).toMatchObject({
      findings: [],
      ok: true,
      gateway_id: gateway.gatewayId,
      checked: { jobs: 1, tasks: 2, receipts: 1, objects: 1, blobs: 3, blob_bytes: 26 + 14 + 28 },
    });
    await gateway.close();
    expect((await check(gateway, { quick: true })).report.checked).toMatchObject({ blobs: 3, blob_bytes: 0 });
  });

  const sql = (text: string) => (gateway: TestGateway) => void outside(gateway, text);
  test.each<[string, string, (gateway: TestGateway) => void]>([
    [
      "CHECK_RECEIPT_BYTES",
      "a receipt with a space more",
      sql("UPDATE receipts SET receipt = CAST(CAST(receipt AS TEXT) || ' ' AS BLOB)"),
    ],
    [
      "CHECK_RECEIPT_ROW",
      "a receipt under another key",
      sql("UPDATE receipts SET idempotency_key = 'another'"),
    ],
    [
      "CHECK_RECEIPT_REQUEST",
      "a body with a space more",
      sql("UPDATE receipts SET request = CAST(CAST(request AS TEXT) || ' ' AS BLOB)"),
    ],
    [
      "CHECK_RECEIPT_RESULT",
      "a body with another result",
      sql(
        "UPDATE receipts SET request = CAST(replace(CAST(request AS TEXT), '\"reused\":false', '\"reused\":true') AS BLOB)",
      ),
    ],
    [
      "CHECK_OBJECT_SHA256",
      "an object with a space more",
      sql("UPDATE objects SET payload = payload || ' '"),
    ],
    ["CHECK_OBJECT_RECEIPT", "an object of another fence", sql("UPDATE objects SET fence = fence + 1")],
    ["CHECK_OBJECT_MISSING", "a slot without its object", sql("DELETE FROM objects")],
    ["CHECK_TASK_RECEIPT", "a done task without a receipt", sql("DELETE FROM receipts")],
    [
      "CHECK_TASK_RECEIPT",
      "a task with a receipt that is open",
      sql("UPDATE tasks SET state = 'ready', worker_id = NULL, result = NULL WHERE slot = 'a'"),
    ],
    ["CHECK_FENCE", "a fence that went back", sql("UPDATE tasks SET fence = 0 WHERE slot = 'a'")],
    [
      "CHECK_FENCE",
      "a claim under a fence that was not given out",
      sql("INSERT INTO claims(task_id, worker_id, idempotency_key, fence) VALUES ('shot-1.b', 'w', 'k', 9)"),
    ],
    ["CHECK_TASK_PAYLOAD", "a task of another job", sql(`UPDATE jobs SET sha256 = '${other}'`)],
    ["CHECK_JOB", "a job whose bytes were changed", sql("UPDATE jobs SET bytes = CAST('{}' AS BLOB)")],
    [
      "CHECK_BLOB_UNRECORDED",
      "a scene without its row",
      sql(`DELETE FROM blobs WHERE sha256 = '${sha256(SCENE)}'`),
    ],
    ["CHECK_BLOB_UNRECORDED", "a scene that gc would not know", sql("DELETE FROM job_scenes")],
    [
      "CHECK_BLOB_UNRECORDED",
      "a bundle without its row",
      sql(`DELETE FROM blobs WHERE sha256 = '${BUNDLE_SHA256}'`),
    ],
    ["CHECK_BLOB_MISSING", "a blob that is gone", (gateway) => rmSync(blobOf(gateway, BUNDLE_SHA256))],
    ["CHECK_BLOB_MISSING", "a blob cut short", (gateway) => truncateSync(blobOf(gateway, sha256(SCENE)), 3)],
    [
      "CHECK_BLOB_SHA256",
      "a blob with other bytes of the same length",
      (gateway) => writeFileSync(blobOf(gateway, BUNDLE_SHA256), "no real bundl!"),
    ],
  ])("%s: %s", async (code, _what, harm) => {
    const { gateway } = await fullGateway();
    harm(gateway);
    const found = await check(gateway);
    expect(found.report.ok).toBe(false);
    expect(found.codes).toContain(code);
  });

  test("CHECK_DATABASE: a file with a damaged page is told as damaged, not as a crash", async () => {
    const { gateway } = await fullGateway();
    outside(gateway, "PRAGMA wal_checkpoint(TRUNCATE)");
    await gateway.close();
    const path = join(gateway.dataFolder, "queue.sqlite");
    const [root] = outside(gateway, "SELECT rootpage FROM sqlite_schema WHERE name = 'receipts'");
    const bytes = readFileSync(path);
    const size = bytes.readUInt16BE(16);
    bytes.fill(0xff, (Number(Object(root)["rootpage"]) - 1) * size, Number(Object(root)["rootpage"]) * size);
    writeFileSync(path, bytes);
    const found = await check(gateway);
    expect(found.codes).toContain("CHECK_DATABASE");
    const told = await cli("--data", gateway.dataFolder);
    expect(told).toMatchObject({ exit: 1, stderr: "" });
    expect(told.stdout).toContain("CHECK_DATABASE");
  });

  test("more findings than fit are counted", async () => {
    const { gateway } = await fullGateway();
    outside(
      gateway,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1005)
       INSERT INTO blobs(sha256, bytes, created_at) SELECT printf('%064x', i), 1, 1 FROM n RETURNING 1`,
    );
    const { report } = await check(gateway);
    expect([report.findings.length, report.findings_left_out]).toEqual([1_000, 5]);
  });

  test("without a folder, or with one that holds nothing, it says what is missing and makes none", async () => {
    expect((await cli()).code).toBe("USAGE_ARGUMENT");
    const folder = join(await temporaryFolder(), "none");
    const none = { dataFolder: folder, storeUrl: null, blobsUrl: null, quick: false, clock: systemClock };
    expect(await codeOfPromise(checkGateway(none))).toBe("GATEWAY_DATA_INVALID");
    expect(existsSync(folder)).toBe(false);
  });
});

describe("check on PostgreSQL", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster.remove());

  test("works through the store: sound, and damaged with the same codes", async () => {
    const folder = await temporaryFolder();
    const schema = await schemaOf(cluster, folder);
    const gateway = await startGateway({ dataFolder: join(folder, "data"), storeUrl: cluster.url(schema) });
    const worker = await gateway.registerWorker();
    const job = await putSampleJob(gateway);
    await winSlot(gateway, worker, { job, slot: "a" });
    const there = { storeUrl: cluster.url(schema) };
    const sound = await check(gateway, there);
    expect(sound.codes).toEqual([]);
    expect(sound.report.checked).toMatchObject({ jobs: 1, tasks: 2, receipts: 1, objects: 1, blobs: 2 });
    await cluster.query("UPDATE objects SET payload = payload || ' '", schema);
    await cluster.query("UPDATE tasks SET fence = 0 WHERE slot = 'a'", schema);
    expect(new Set((await check(gateway, there)).codes)).toEqual(
      new Set(["CHECK_FENCE", "CHECK_OBJECT_SHA256"]),
    );
    const text = (await gateway.call("/metrics", { token: null })).bytes.toString();
    expect(text).toContain('render_handoff_gateway_tasks{state="ready"} 1');
  });

  test("makes nothing in a database that holds no queue, and brings none up to date", async () => {
    const schema = await schemaOf(cluster, await temporaryFolder());
    const where = { dataFolder: await temporaryFolder(), storeUrl: cluster.url(schema), blobsUrl: null };
    const looked = () => codeOfPromise(checkGateway({ ...where, quick: true, clock: systemClock }));
    const tables = () => cluster.query(`SELECT 1 FROM pg_tables WHERE schemaname = '${schema}'`);
    expect(await looked()).toBe("GATEWAY_DATA_INVALID");
    expect(await tables()).toEqual([]);
    const gateway = await startGateway({ storeUrl: cluster.url(schema) });
    await gateway.close();
    const versions = "SELECT MAX(version)::int AS version FROM schema_version";
    const [newest] = await cluster.query(versions, schema);
    await cluster.query("DELETE FROM schema_version WHERE version > 1", schema);
    expect(await looked()).toBe("GATEWAY_DATA_INVALID");
    expect(await cluster.query(versions, schema)).toEqual([{ version: 1 }]);
    const next = Number(newest?.["version"]) + 1;
    await cluster.query(`INSERT INTO schema_version VALUES (${next}, clock_timestamp())`, schema);
    expect(await looked()).toBe("GATEWAY_DATA_NEWER");
  });

  test("removal of blobs: what nothing refers to goes, what is referred to or held by a lease stays", async () => {
    const folder = await temporaryFolder();
    const schema = await schemaOf(cluster, folder);
    const { gateway } = await fullGateway({
      dataFolder: join(folder, "data"),
      storeUrl: cluster.url(schema),
    });
    const body = { older_than_seconds: 0, dry_run: false, cursor: null };
    const gone = await post(gateway, "/q/gc", { token: gateway.adminToken, body });
    expect(gone.json()).toMatchObject({ blobs: 1, blob_bytes: 28, strays: 0, cursor: null });
    expect((await check(gateway, { storeUrl: cluster.url(schema) })).codes).toEqual([]);
  });
});
