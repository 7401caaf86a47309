import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { blobPath } from "../../../src/gateway/blobs/folder/open.ts";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { openSqliteStore } from "../../../src/gateway/queue/sqlite/open.ts";
import { submit } from "../../../src/gateway/queue/submit.ts";
import { backupGateway } from "../../../src/gateway/upkeep/backup.ts";
import { checkGateway } from "../../../src/gateway/upkeep/check.ts";
import { restoreGateway } from "../../../src/gateway/upkeep/restore.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { BUNDLE, SCENE } from "../../support/gateway-job.ts";
import { temporaryFolder } from "../../support/temporary.ts";

// A data folder as the first release's schema left it: a job, slot a done, slot b reopened and leased again.
const fixtures = join(import.meta.dirname, "../../../fixtures/gateway");
const KEPT = z
  .strictObject({
    gateway_id: z.string(),
    submits: z.array(
      z.strictObject({ body: z.string(), receipt: z.string(), key: z.string(), task: z.string() }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(fixtures, "schema-1.json"), "utf8")));

async function oldFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), "data");
  mkdirSync(folder);
  const db = new DatabaseSync(join(folder, "queue.sqlite"), { enableForeignKeyConstraints: false });
  db.exec(readFileSync(join(fixtures, "schema-1.sql"), "utf8"));
  db.close();
  for (const bytes of [SCENE, BUNDLE]) {
    const path = blobPath(join(folder, "blobs"), sha256(bytes));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  return folder;
}

/** Every hand-in again: the same bytes, and of the reopened slot the receipt of then. */
async function replays(folder: string): Promise<void> {
  const store = openSqliteStore({ path: join(folder, "queue.sqlite"), clock: systemClock });
  const queue = { store, faultPoint: null };
  try {
    expect(await store.read((rows) => rows.meta("gateway_id"))).toBe(KEPT.gateway_id);
    for (const { body, key, receipt, task } of KEPT.submits) {
      const again = await submit(queue, Buffer.from(body), key);
      expect(again.receipt.toString()).toBe(receipt);
      expect([again.replayed, again.superseded]).toEqual([true, task.endsWith(".b")]);
      expect(await codeOfPromise(submit(queue, Buffer.from(`${body} `), key))).toBe("idempotency_conflict");
    }
    const late = { taskId: "shot-1.a", workerId: "w", idempotencyKey: null };
    expect(await codeOfPromise(claim(queue, late))).toBe("not_ready");
  } finally {
    await store.close();
  }
}

const look = (dataFolder: string) =>
  checkGateway({ dataFolder, storeUrl: null, blobsUrl: null, quick: false, clock: systemClock });

test("data of the first schema are brought up to date, replay their receipts byte for byte and are sound", async () => {
  const folder = await oldFolder();
  await replays(folder);
  expect(await look(folder)).toMatchObject({ ok: true, checked: { receipts: 2, objects: 2, blobs: 2 } });
});

test("a backup made before the upgrade holds the old schema, and restores into the new one", async () => {
  const folder = await oldFolder();
  const parent = await temporaryFolder();
  const [out, data] = [join(parent, "backup"), join(parent, "data")];
  const manifest = await backupGateway({ dataFolder: folder, out, adminToken: false, clock: systemClock });
  expect(manifest).toMatchObject({ schema_version: 1, gateway_id: KEPT.gateway_id });
  await restoreGateway({ from: out, dataFolder: data, clock: systemClock });
  await replays(data);
  expect((await look(data)).findings).toEqual([]);
});
