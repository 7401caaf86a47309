import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { LIMITS } from "../../../contracts/limits.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { HandoffError } from "../../../src/core/error.ts";
import type { BlobStore } from "../../../src/gateway/blobs/blob-store.ts";
import { openFolderBlobs } from "../../../src/gateway/blobs/folder/open.ts";
import { openSqliteStore } from "../../../src/gateway/queue/sqlite/open.ts";
import { recordBlob } from "../../../src/gateway/queue/upload.ts";
import { collectGarbage } from "../../../src/gateway/upkeep/collect.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { temporaryFolder } from "../../support/temporary.ts";

// One call of the removal of blobs over bytes that are slow to go, or do not go.

const request = { older_than_seconds: 0, dry_run: false, cursor: null };

/** A store and a folder with blobs that nothing refers to; their digests in order. */
async function strangers(count: number) {
  const folder = await temporaryFolder();
  const store = openSqliteStore({ path: join(folder, "queue.sqlite"), clock: systemClock });
  onTestFinished(() => store.close());
  const blobs = await openFolderBlobs(join(folder, "blobs"));
  const named = Array.from({ length: count }, (_, n) => Buffer.from(`stranger ${n}`)).map((bytes) => ({
    bytes,
    blob: { sha256: sha256(bytes), bytes: bytes.byteLength },
  }));
  for (const { bytes, blob } of named) {
    const staged = await blobs.stage(Readable.from([bytes]), blob);
    await staged.commit();
    await recordBlob({ store, faultPoint: null }, blob);
  }
  return { store, blobs, digests: named.map(({ blob }) => blob.sha256).sort() };
}

test("a removal that fails leaves no mark on what was removed before it", async () => {
  const { store, blobs, digests } = await strangers(3);
  const removed: string[] = [];
  const failing: BlobStore = {
    ...blobs,
    remove: async (digest) => {
      if (removed.length === 2) throw new HandoffError("GATEWAY_STORE_FAILED", "EIO.");
      await blobs.remove(digest);
      removed.push(digest);
    },
  };
  const call = collectGarbage({ store, blobs: failing, clock: systemClock }, request);
  expect(await codeOfPromise(call)).toBe("GATEWAY_STORE_FAILED");
  const left = await store.read((rows) => rows.begunRemovals(systemClock.wallSeconds()));
  expect(left.map((blob) => blob.sha256)).toEqual(digests.slice(2));
});

test("one call ends while its client waits, however slow a removal is, and says where to go on", async () => {
  const { store, blobs, digests } = await strangers(60);
  let now = 0;
  const clock = { monotonicMs: () => now };
  const slow: BlobStore = {
    ...blobs,
    remove: async (digest) => {
      await blobs.remove(digest);
      now += 300;
    },
  };
  const first = await collectGarbage({ store, blobs: slow, clock }, request);
  expect(now).toBeLessThan(LIMITS.headersMs);
  expect(first).toMatchObject({ blobs: now / 300, cursor: `unused:${digests[now / 300 - 1]}` });
  let { blobs: removed, cursor } = first;
  while (cursor !== null) {
    const began = now;
    const next = await collectGarbage({ store, blobs: slow, clock }, { ...request, cursor });
    expect(now - began).toBeLessThan(LIMITS.headersMs);
    removed += next.blobs;
    cursor = next.cursor;
  }
  expect(removed).toBe(60);
});
