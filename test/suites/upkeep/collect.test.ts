import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Job } from "../../../contracts/documents/job.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import type { BlobStore } from "../../../src/gateway/blobs/blob-store.ts";
import { blobPath, openFolderBlobs } from "../../../src/gateway/blobs/folder/open.ts";
import { openSqliteStore } from "../../../src/gateway/queue/sqlite/open.ts";
import { recordBlob } from "../../../src/gateway/queue/upload.ts";
import { checkGateway } from "../../../src/gateway/upkeep/check.ts";
import { collectGarbage } from "../../../src/gateway/upkeep/collect.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { BUNDLE, SCENE, sampleJob, sampleResult } from "../../support/gateway-job.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { runCli } from "../../support/run-cli.ts";
import { outside, post } from "../gateway/route-calls.ts";
import { fullGateway, STRANGER } from "./full-gateway.ts";

const request = { older_than_seconds: 0, dry_run: false, cursor: null };
const collect = async (gateway: TestGateway, change: object = {}) =>
  (await post(gateway, "/q/gc", { token: gateway.adminToken, body: { ...request, ...change } })).json();
const fileOf = (gateway: TestGateway, digest: string): string =>
  blobPath(join(gateway.dataFolder, "blobs"), digest);
const listed = (gateway: TestGateway): unknown[] =>
  outside(gateway, "SELECT sha256 FROM blobs ORDER BY sha256").map((row) => Object(row)["sha256"]);

describe("removal of blobs that nothing refers to", () => {
  test("takes what is old enough and unused, keeps scenes, bundles and what a lease has just brought", async () => {
    const { gateway, workers } = await fullGateway();
    const fresh = Buffer.from("on its way to a submit");
    const put = await gateway.call(`/q/blob/${sha256(fresh)}`, {
      method: "PUT",
      token: workers[1].token,
      headers: { "task-id": "shot-1.b", "fencing-token": "1" },
      body: fresh,
    });
    expect(put.status).toBe(201);
    expect(await collect(gateway, { older_than_seconds: 3_600 })).toMatchObject({ blobs: 0, strays: 0 });
    expect(await collect(gateway, { dry_run: true })).toMatchObject({
      blobs: 1,
      blob_bytes: 28,
      cursor: null,
    });
    expect(existsSync(fileOf(gateway, sha256(STRANGER)))).toBe(true);
    expect(await collect(gateway)).toMatchObject({ blobs: 1, blob_bytes: 28, strays: 0, cursor: null });
    expect(existsSync(fileOf(gateway, sha256(STRANGER)))).toBe(false);
    expect(listed(gateway)).toEqual([SCENE, BUNDLE, fresh].map((bytes) => sha256(bytes)).sort());
    expect((await gateway.call(`/q/blob/${sha256(STRANGER)}`)).code).toBe("blob_unknown");
  });

  test("a blob that is put again counts as new", async () => {
    const { gateway } = await fullGateway();
    outside(gateway, "UPDATE blobs SET created_at = created_at - 7200 RETURNING 1");
    expect(await collect(gateway, { older_than_seconds: 3_600, dry_run: true })).toMatchObject({ blobs: 1 });
    const again = await gateway.call(`/q/blob/${sha256(STRANGER)}`, { method: "PUT", body: STRANGER });
    expect(again.status).toBe(200);
    expect(await collect(gateway, { older_than_seconds: 3_600 })).toMatchObject({ blobs: 0 });
  });

  test("while bytes are being removed nothing can refer to them or put them; afterwards they can come again", async () => {
    const { gateway } = await fullGateway();
    await gateway.close();
    const store = openSqliteStore({ path: join(gateway.dataFolder, "queue.sqlite"), clock: systemClock });
    const queue = { store, faultPoint: null };
    const blobs = await openFolderBlobs(join(gateway.dataFolder, "blobs"));
    const blob = { sha256: sha256(STRANGER), bytes: STRANGER.byteLength };
    const seen: unknown[] = [];
    const slow: BlobStore = {
      ...blobs,
      remove: async (digest) => {
        seen.push(await store.read((rows) => rows.blobBytes(digest)));
        seen.push(await codeOfPromise(recordBlob(queue, blob)));
        await blobs.remove(digest);
      },
    };
    try {
      await collectGarbage({ store, blobs: slow, clock: systemClock }, request);
      expect(seen).toEqual([null, "GATEWAY_STORE_FAILED"]);
      expect(await recordBlob(queue, blob)).toBe(true);
    } finally {
      await store.close();
    }
  });

  test("a removal that was cut off is ended at the next start", async () => {
    const { gateway } = await fullGateway();
    const digest = sha256(STRANGER);
    outside(gateway, `UPDATE blobs SET removing_since = 1 WHERE sha256 = '${digest}' RETURNING 1`);
    const put = () => gateway.call(`/q/blob/${digest}`, { method: "PUT", body: STRANGER });
    expect(await put()).toMatchObject({ status: 503, code: "unavailable" });
    await gateway.close();
    const next = await startGateway({ dataFolder: gateway.dataFolder });
    expect(listed(next)).not.toContain(digest);
    expect(existsSync(fileOf(next, digest))).toBe(false);
    expect((await next.call(`/q/blob/${digest}`, { method: "PUT", body: STRANGER })).status).toBe(201);
  });

  test("bytes without a row go when they are an hour old; a young file and foreign names are left alone", async () => {
    const { gateway } = await fullGateway();
    const [old, young] = [sha256("old"), sha256("young")];
    for (const [digest, hours] of [
      [old, 2],
      [young, 0],
    ] as const) {
      const path = fileOf(gateway, digest);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "left over");
      const at = systemClock.wallSeconds() - hours * 3_600;
      utimesSync(path, at, at);
    }
    const foreign = join(gateway.dataFolder, "blobs", "notes.txt");
    writeFileSync(foreign, "the operator's own");
    const wanted = { older_than_seconds: 86_400 };
    expect(await collect(gateway, wanted)).toMatchObject({ strays: 0 });
    expect(await collect(gateway)).toMatchObject({ blobs: 1, strays: 1, stray_bytes: 9 });
    expect([old, young].map((digest) => existsSync(fileOf(gateway, digest)))).toEqual([false, true]);
    expect(existsSync(foreign)).toBe(true);
    expect(listed(gateway)).not.toContain(old);
  });

  test("half-written files of an earlier process are gone after a start", async () => {
    const { gateway } = await fullGateway();
    await gateway.close();
    const half = join(gateway.dataFolder, "endpoint.json.77.partial");
    writeFileSync(half, "{");
    await startGateway({ dataFolder: gateway.dataFolder });
    expect(existsSync(half)).toBe(false);
  });

  test("while workers hand in without a pause nothing that is referred to is ever taken", async () => {
    const gateway = await startGatewayProcess();
    const worker = await gateway.registerWorker();
    let stop = false;
    let removed = 0;
    const sweeping = (async () => {
      while (!stop) removed += Number((await collect(gateway))["blobs"]);
    })();
    for (let n = 0; n < 25; n += 1) await handInOne(gateway, worker, n);
    const stray = Buffer.from("put between two sweeps");
    await gateway.call(`/q/blob/${sha256(stray)}`, { method: "PUT", body: stray });
    await expect.poll(() => listed(gateway).includes(sha256(stray)), { timeout: 60_000 }).toBe(false);
    stop = true;
    await sweeping;
    expect(removed).toBeGreaterThan(0);
    const { dataFolder } = gateway;
    const data = { dataFolder, storeUrl: null, blobsUrl: null, quick: false, clock: systemClock };
    const report = await checkGateway(data);
    expect(report.findings).toEqual([]);
    expect(report.checked).toMatchObject({ objects: 25, blobs: 50 });
  });

  test("the command goes through the gateway that serves the folder, part by part, and tells the sum", async () => {
    const { gateway } = await fullGateway();
    outside(
      gateway,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       INSERT INTO blobs(sha256, bytes, created_at) SELECT printf('%064x', i), 2, 1 FROM n RETURNING 1`,
    );
    const gc = (...flags: string[]) =>
      runCli("render-handoff", ["gateway", "gc", "--data", gateway.dataFolder, ...flags]);
    const dry = await gc("--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({ blobs: 250, blob_bytes: 500, strays: 0, dry_run: true });
    expect((await gc("--older-than", "0s")).stdout).toBe(
      "removed 251 unused blobs (528 bytes), 0 leftovers (0 bytes)\n",
    );
    expect((await gc("--older-than", "soon")).code).toBe("USAGE_ARGUMENT");
  });
});

/** One job of its own scene, and its slot a handed in; whatever was taken in between is sent again. */
async function handInOne(gateway: TestGateway, worker: TestWorker, n: number): Promise<void> {
  const scene = Buffer.from(`BLENDER-v304 scene ${n}`);
  const bundle = Buffer.from(`bundle ${n}`);
  const files = [{ path: "scene.blend", sha256: sha256(scene), bytes: scene.byteLength }];
  const job: Job = sampleJob({ job_id: `shot-${n}`, scene: { main: "scene.blend", files } });
  const body = canonicalBytes(job);
  const task_id = `${job.job_id}.a`;
  const again = async (
    put: () => Promise<{ status: number }>,
    use: () => Promise<{ status: number; code: string }>,
  ) => {
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await put()).status === 503) continue;
      const used = await use();
      if (used.code === "") return;
      if (used.code !== "blob_missing") throw new Error(used.code);
    }
    throw new Error("the blob was taken 100 times");
  };
  await again(
    () => gateway.call(`/q/blob/${sha256(scene)}`, { method: "PUT", body: scene }),
    () => gateway.call("/q/job", { method: "POST", body }),
  );
  const held = { task_id, worker_id: worker.workerUuid };
  const claimed = await post(gateway, "/q/claim", { token: worker.token, body: held });
  const fence = Number(claimed.json()["fencing_token"]);
  const headers = { "task-id": task_id, "fencing-token": String(fence) };
  const { token } = worker;
  await again(
    () => gateway.call(`/q/blob/${sha256(bundle)}`, { method: "PUT", token, headers, body: bundle }),
    () =>
      post(gateway, "/q/submit", {
        token,
        headers: { "idempotency-key": "key" },
        body: canonicalBytes({ ...held, fencing_token: fence, result: sampleResult(job, "a", bundle) }),
      }),
  );
}
