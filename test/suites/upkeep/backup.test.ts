import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { BackupManifest } from "../../../contracts/documents/upkeep.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { blobPath } from "../../../src/gateway/blobs/folder/open.ts";
import { backupGateway } from "../../../src/gateway/upkeep/backup.ts";
import { checkGateway } from "../../../src/gateway/upkeep/check.ts";
import { copyFile } from "../../../src/gateway/upkeep/copy-file.ts";
import { restoreGateway } from "../../../src/gateway/upkeep/restore.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway } from "../../support/gateway.ts";
import { BUNDLE, SCENE } from "../../support/gateway-job.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { post } from "../gateway/route-calls.ts";
import { fullGateway, handInAgain, STRANGER } from "./full-gateway.ts";

const gatewayCli = (...args: string[]) => runCli("render-handoff", ["gateway", ...args]);
const backup = (dataFolder: string, out: string, adminToken = false) =>
  backupGateway({ dataFolder, out, adminToken, clock: systemClock });
/** A backup of a gateway that serves, in a folder of its own. */
async function backedUp() {
  const full = await fullGateway();
  const out = join(await temporaryFolder(), "one");
  return { ...full, out, manifest: await backup(full.gateway.dataFolder, out) };
}
async function restored(out: string): Promise<string> {
  const data = join(await temporaryFolder(), "data");
  await restoreGateway({ from: out, dataFolder: data, clock: systemClock });
  return data;
}
const checked = (dataFolder: string) =>
  checkGateway({ dataFolder, storeUrl: null, blobsUrl: null, quick: false, clock: systemClock });

test("what is not there is not copied: nothing stands at its place", async () => {
  const folder = await temporaryFolder();
  expect(await copyFile(join(folder, "none"), join(folder, "ab", "copy"))).toBeNull();
  expect(await readdir(folder)).toEqual([]);
});

describe("backup and restore", () => {
  test("a gateway that serves is copied whole, and the copy replays receipts byte for byte under its id", async () => {
    const full = await fullGateway();
    const folder = await temporaryFolder();
    const [out, data] = [join(folder, "backup"), join(folder, "data")];
    const made = await gatewayCli("backup", "--data", full.gateway.dataFolder, "--out", out, "--json");
    expect(made).toMatchObject({ exit: 0, stderr: "" });
    expect(BackupManifest.parse(JSON.parse(made.stdout)).blobs).toHaveLength(3);
    expect(existsSync(join(out, "admin-token"))).toBe(false);
    expect((await gatewayCli("restore", "--from", out, "--data", data)).exit).toBe(0);
    await full.gateway.close();
    expect((await checked(data)).findings).toEqual([]);
    const gateway = await startGateway({ dataFolder: data });
    expect(gateway.gatewayId).toBe(full.gateway.gatewayId);
    expect(gateway.adminToken).not.toBe(full.gateway.adminToken);
    const again = await handInAgain({ ...full, gateway });
    expect(again.bytes).toEqual(full.receipt);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    for (const blob of [SCENE, BUNDLE, STRANGER])
      expect((await gateway.call(`/q/blob/${sha256(blob)}`)).bytes).toEqual(blob);
  });

  test("after a restore an open task is free, and its next fence is beyond any that was given out", async () => {
    const full = await backedUp();
    const data = join(await temporaryFolder(), "data");
    const { fenceFloor } = await restoreGateway({ from: full.out, dataFolder: data, clock: systemClock });
    expect(fenceFloor).toBeGreaterThanOrEqual(1 + 1_000);
    const gateway = await startGateway({ dataFolder: data });
    const [, worker] = full.workers;
    const held = { task_id: "shot-1.b", worker_id: worker.workerUuid };
    const late = { ...held, fencing_token: 1, progress: null };
    expect((await post(gateway, "/q/heartbeat", { token: worker.token, body: late })).code).toBe(
      "stale_or_invalid_lease",
    );
    const claimed = await post(gateway, "/q/claim", { token: worker.token, body: held });
    expect(claimed.json()).toMatchObject({ fencing_token: fenceFloor + 1 });
    expect((await gateway.call("/q/task/shot-1.a")).json()).toMatchObject({
      state: "done",
      fencing_token: 1,
    });
    const reopened = { task_id: "shot-1.a", reason: "X" };
    await post(gateway, "/q/reopen", { token: gateway.adminToken, body: reopened });
    expect((await gateway.call("/q/task/shot-1.a")).json()).toMatchObject({ fencing_token: fenceFloor });
    await gateway.close();
    expect((await checked(data)).findings).toEqual([]);
  });

  test("a new administrator's token is made only in a folder that is a gateway's, and replaces the one there", async () => {
    const gateway = await startGateway();
    const renew = (folder: string) => gatewayCli("new-admin-token", "--data", folder);
    expect((await renew(await temporaryFolder())).code).toBe("GATEWAY_DATA_INVALID");
    expect((await renew(gateway.dataFolder)).exit).toBe(0);
    await gateway.close();
    const again = await startGateway({ dataFolder: gateway.dataFolder });
    expect(again.adminToken).not.toBe(gateway.adminToken);
    expect((await again.call("/q/tasks", { token: gateway.adminToken })).code).toBe("unauthenticated");
  });

  test("a restore wants a backup and a folder, or a database, and not both", async () => {
    for (const flags of [["--from", "b"], ["--data", "d"], ["--from", "b", "--store", "postgres://db/x"], []])
      expect((await gatewayCli("restore", ...flags)).code).toBe("USAGE_ARGUMENT");
  });

  test("the administrator's token goes along when that is asked for, for its owner alone", async () => {
    const full = await fullGateway();
    const out = join(await temporaryFolder(), "backup");
    await backup(full.gateway.dataFolder, out, true);
    expect(statSync(join(out, "admin-token")).mode & 0o777).toBe(0o600);
    const data = await restored(out);
    expect(readFileSync(join(data, "admin-token"), "utf8").trim()).toBe(full.gateway.adminToken);
  });

  test("a backup while workers hand in has a receipt for every done task and bytes for every blob", async () => {
    const gateway = await startGatewayProcess();
    const worker = await gateway.registerWorker();
    const folder = await temporaryFolder();
    let stop = false;
    const busy = (async () => {
      for (let n = 0; !stop; n += 1) {
        const task_id = `task-${n}`;
        await post(gateway, "/q/enqueue", {
          token: gateway.adminToken,
          body: { task_id, payload: n, lease_seconds: 60 },
        });
        const held = { task_id, worker_id: worker.workerUuid };
        await post(gateway, "/q/claim", { token: worker.token, body: held });
        const done = await post(gateway, "/q/submit", {
          token: worker.token,
          body: { ...held, fencing_token: 1, result: n },
          headers: { "idempotency-key": "key" },
        });
        expect(done.status).toBe(200);
        const blob = Buffer.from(`blob ${n}`);
        await gateway.call(`/q/blob/${sha256(blob)}`, { method: "PUT", body: blob });
      }
    })();
    for (const name of ["one", "two", "three"]) {
      const out = join(folder, name);
      await backup(gateway.dataFolder, out);
      expect((await checked(await restored(out))).findings).toEqual([]);
    }
    stop = true;
    await busy;
  });

  test.each([
    ["a blob with one bit flipped", (out: string) => flip(blobPath(join(out, "blobs"), sha256(SCENE)))],
    ["a blob that is gone", (out: string) => rmSync(blobPath(join(out, "blobs"), sha256(BUNDLE)))],
    ["another database", (out: string) => flip(join(out, "queue.sqlite"))],
    ["no manifest", (out: string) => rmSync(join(out, "manifest.json"))],
    ["half a manifest", (out: string) => writeFileSync(join(out, "manifest.json"), '{"schema":')],
  ])("of %s nothing is restored", async (_what, harm) => {
    const { out } = await backedUp();
    harm(out);
    const folder = await temporaryFolder();
    const restore = restoreGateway({ from: out, dataFolder: join(folder, "data"), clock: systemClock });
    expect(await codeOfPromise(restore)).toBe("GATEWAY_BACKUP_DAMAGED");
    expect(await readdir(folder)).toEqual([]);
  });

  test("no backup is made of a gateway that has lost a blob that it needs", async () => {
    const full = await fullGateway();
    rmSync(blobPath(join(full.gateway.dataFolder, "blobs"), sha256(SCENE)));
    const out = join(await temporaryFolder(), "backup");
    const run = await gatewayCli("backup", "--data", full.gateway.dataFolder, "--out", out);
    expect(run).toMatchObject({ exit: 4, code: "GATEWAY_BACKUP_INCOMPLETE" });
    expect(run.stderr).toContain(sha256(SCENE));
    expect(await readdir(join(out, ".."))).toEqual([]);
  });

  test("neither overwrites what is there, and an absent data folder stays absent", async () => {
    const { out, gateway } = await backedUp();
    const { dataFolder } = gateway;
    expect((await gatewayCli("backup", "--data", dataFolder, "--out", out)).code).toBe("USAGE_OUTPUT_EXISTS");
    expect((await gatewayCli("restore", "--from", out, "--data", dataFolder)).code).toBe(
      "USAGE_OUTPUT_EXISTS",
    );
    const absent = join(await temporaryFolder(), "absent");
    const run = await gatewayCli("backup", "--data", absent, "--out", join(absent, "../backup"));
    expect(run.code).toBe("GATEWAY_DATA_INVALID");
    expect(existsSync(absent)).toBe(false);
  });

  test("what PostgreSQL and S3 keep is theirs to back up", async () => {
    for (const flag of [
      ["--store", "postgres://db/x"],
      ["--blobs", "s3://bucket/x"],
    ])
      expect(
        (await gatewayCli("backup", "--data", "/nonexistent", "--out", "/nonexistent/b", ...flag)).code,
      ).toBe("USAGE_BACKUP_ELSEWHERE");
  });

  test("data of a newer version are refused by every command with their own code", async () => {
    const { gateway, out } = await backedUp();
    await gateway.close();
    const newer = "INSERT INTO schema_version(version, applied_at) VALUES (9999, 0)";
    const db = new DatabaseSync(join(gateway.dataFolder, "queue.sqlite"));
    db.exec(newer);
    db.close();
    const served = startGateway({ dataFolder: gateway.dataFolder });
    expect(await codeOfPromise(served)).toBe("GATEWAY_DATA_NEWER");
    expect(await codeOfPromise(checked(gateway.dataFolder))).toBe("GATEWAY_DATA_NEWER");
    expect(await codeOfPromise(backup(gateway.dataFolder, join(out, "../two")))).toBe("GATEWAY_DATA_NEWER");
    const told = await gatewayCli("gc", "--data", gateway.dataFolder);
    expect(told).toMatchObject({ exit: 4, code: "GATEWAY_DATA_NEWER" });
  });
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  writeFileSync(path, bytes);
}
