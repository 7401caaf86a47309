import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { BlobStore } from "../../../src/gateway/blobs/blob-store.ts";
import { openFolderBlobs } from "../../../src/gateway/blobs/folder/open.ts";
import { takeBlob } from "../../../src/gateway/http/take-blob.ts";
import { Uploads } from "../../../src/gateway/http/uploads.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { openSqliteStore } from "../../../src/gateway/queue/sqlite/open.ts";
import { recordBlob } from "../../../src/gateway/queue/upload.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import type { TestGateway, TestWorker } from "../../support/gateway.ts";
import { dial } from "../http-edge/trickle.ts";
import { DATA, files, holding, path, put, upload } from "./blob-calls.ts";
import { blobOf } from "./job-bench.ts";
import { outside } from "./route-calls.ts";

const capped = (bundle_bytes: number) => holding({ limits: { ...STANDARD_LIMITS, bundle_bytes } });
/** A worker's upload that has sent five bytes and waits. */
function halfSent(gateway: TestGateway, worker: TestWorker, bytes = DATA) {
  return dial(
    gateway,
    `PUT ${path(bytes)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${worker.token}\r\n` +
      `Task-Id: shot-1.a\r\nFencing-Token: 1\r\nContent-Length: ${bytes.byteLength}\r\n` +
      "Connection: close\r\n\r\n01234",
  );
}
const rowsOf = (gateway: TestGateway) => outside(gateway, "SELECT sha256 FROM uploads");

describe("bundle_bytes over HTTP", () => {
  test("bounds what many uploads at once leave on the disk, not only what is recorded", async () => {
    const { gateway, worker } = await capped(100_000);
    const [scene = ""] = files(gateway);
    const bundles = Array.from({ length: 12 }, () => randomBytes(45_000));
    const answers = await Promise.all(bundles.map((bytes) => upload(gateway, worker, { bytes })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(10).fill(413)]);
    const kept = files(gateway).filter((file) => file !== scene);
    expect(kept.map((file) => statSync(file).size)).toEqual([45_000, 45_000]);
  });

  test("counts what is on its way, and gives the room back when it is cut off", async () => {
    const { gateway, worker } = await capped(15_000);
    const first = halfSent(gateway, worker, randomBytes(10_000));
    await expect.poll(() => rowsOf(gateway)).toHaveLength(1);
    const other = randomBytes(6_000);
    expect((await upload(gateway, worker, { bytes: other })).code).toBe("blob_too_large");
    first.socket.resetAndDestroy();
    await expect.poll(async () => (await upload(gateway, worker, { bytes: other })).status).toBe(201);
  });

  test("is not evaded by announcing fewer bytes for what is stored already", async () => {
    const { gateway, worker } = await capped(15_000);
    const stored = randomBytes(10_000);
    expect((await upload(gateway, worker, { bytes: stored })).status).toBe(201);
    const headers = { "task-id": "shot-1.a", "fencing-token": "1", "content-length": "0" };
    const lie = await gateway.call(path(stored), { method: "PUT", token: worker.token, headers });
    expect(lie.code).toBe("blob_digest_mismatch");
    expect((await upload(gateway, worker, { bytes: randomBytes(6_000) })).code).toBe("blob_too_large");
  });

  test("the same bytes can be on their way twice under one lease, for a client that gave one up", async () => {
    const { gateway, worker } = await holding();
    const halves = [halfSent(gateway, worker), halfSent(gateway, worker)];
    await expect.poll(() => files(gateway)).toHaveLength(3);
    const third = await upload(gateway, worker, { bytes: DATA });
    expect(third).toMatchObject({ status: 503, code: "unavailable" });
    expect(third.headers["retry-after"]).toBe("5");
    expect((await put(gateway, DATA)).status).toBe(201);
    for (const { socket } of halves) socket.write("56789");
    for (const { answer } of halves) expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(files(gateway)).toHaveLength(2);
  });
});

describe("an upload whose lease ends after its bytes were committed", () => {
  const blob = blobOf(DATA);
  const source = async function* () {
    yield DATA;
  };

  /** A held lease on a gateway's data, and blobs that give it up at the commit. */
  async function surprised() {
    const { gateway, worker } = await holding();
    await gateway.close();
    const store = openSqliteStore({ path: join(gateway.dataFolder, "queue.sqlite"), clock: systemClock });
    onTestFinished(() => store.close());
    const queue: Queue = { store, faultPoint: null };
    const folder = await openFolderBlobs(join(gateway.dataFolder, "blobs"));
    const lease = { taskId: "shot-1.a", workerId: worker.workerUuid, fence: 1 };
    const blobs: BlobStore = {
      ...folder,
      stage: async (bytes, name) => {
        const staged = await folder.stage(bytes, name);
        const commit = async (): Promise<void> => {
          await staged.commit();
          await release(queue, lease, "INTERRUPTED");
        };
        return { ...staged, commit };
      },
    };
    return { gateway, queue, blobs, lease, before: files(gateway) };
  }

  test("leaves neither bytes nor room taken", async () => {
    const { gateway, queue, blobs, lease, before } = await surprised();
    const taking = { queue, blobs, uploads: new Uploads() };
    const refused = await codeOfPromise(takeBlob(taking, { blob, source: source(), lease }));
    expect(refused).toBe("stale_or_invalid_lease");
    expect(files(gateway)).toEqual(before);
    expect(rowsOf(gateway)).toEqual([]);
    expect(await recordBlob(queue, blob)).toBe(true);
  });

  test("leaves the bytes that somebody else has on record", async () => {
    const { gateway, queue, blobs, lease, before } = await surprised();
    await recordBlob(queue, blob);
    const taking = { queue, blobs, uploads: new Uploads() };
    await codeOfPromise(takeBlob(taking, { blob, source: source(), lease }));
    expect(files(gateway)).toHaveLength(before.length + 1);
    expect(await queue.store.read((rows) => rows.blobBytes(blob.sha256))).toBe(10);
  });

  test("leaves the bytes to another upload of the same that is on its way", async () => {
    const { gateway, queue, blobs, lease, before } = await surprised();
    const uploads = new Uploads();
    uploads.begin(blob.sha256, null);
    await codeOfPromise(takeBlob({ queue, blobs, uploads }, { blob, source: source(), lease }));
    expect(files(gateway)).toHaveLength(before.length + 1);
    expect(await recordBlob(queue, blob)).toBe(true);
  });
});
