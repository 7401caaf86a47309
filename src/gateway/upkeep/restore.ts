import { join } from "node:path";
import { BackupManifest } from "../../../contracts/documents/upkeep.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { readCapped } from "../../core/files/read-capped.ts";
import { readDocument } from "../../core/json/read-document.ts";
import { blobPath } from "../blobs/folder/open.ts";
import { blobsFolder, DATABASE_FILE, TOKEN_FILE } from "../data-folder.ts";
import { MANIFEST_FILE } from "./backup.ts";
import { copyFile, type FileFacts } from "./copy-file.ts";
import { moveOn } from "./move-on.ts";
import { newFolder } from "./new-folder.ts";

export interface RestoreOptions {
  readonly from: string;
  /** Absent or empty. */
  readonly dataFolder: string;
  readonly clock: Pick<Clock, "wallSeconds" | "uuid">;
}

const MANIFEST_BYTES = 256 * 1024 ** 2;

export interface Restored {
  readonly manifest: BackupManifest;
  /** Every fence that is given out from now on is above this one. */
  readonly fenceFloor: number;
}

/**
 * Puts a backup into a new data folder; every file is compared with the manifest before the folder stands at
 * its place. The gateway's id, tokens' hashes, receipts and bodies are those of the backup. Workers may hold
 * leases that were given out after it: open tasks are free again, and no fence is given out that any of them has.
 * Throws GATEWAY_BACKUP_DAMAGED, GATEWAY_DATA_NEWER, USAGE_OUTPUT_EXISTS, GATEWAY_STORE_FAILED.
 */
export async function restoreGateway({ from, dataFolder, clock }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(from);
  const fenceFloor = await newFolder(dataFolder, clock.uuid(), async (folder) => {
    const faults: string[] = [];
    const put = async (name: string, facts: FileFacts, paths: { source: string; target: string }) => {
      const copied = await copyFile(paths.source, paths.target);
      if (copied?.sha256 !== facts.sha256 || copied.bytes !== facts.bytes) faults.push(name);
    };
    const own = (name: string) => ({ source: join(from, name), target: join(folder, name) });
    await put(DATABASE_FILE, manifest.database, own(DATABASE_FILE));
    if (manifest.admin_token !== null) await put(TOKEN_FILE, manifest.admin_token, own(TOKEN_FILE));
    for (const { sha256, bytes } of manifest.blobs) {
      const source = blobPath(blobsFolder(from), sha256);
      const target = blobPath(blobsFolder(folder), sha256);
      await put(`blob ${sha256}`, { sha256, bytes }, { source, target });
    }
    if (faults.length > 0)
      throw new HandoffError("GATEWAY_BACKUP_DAMAGED", undefined, { details: faults.slice(0, 40) });
    return (await moveOn({ dataFolder: folder, storeUrl: null, clock })).fenceFloor;
  });
  return { manifest, fenceFloor };
}

async function readManifest(from: string): Promise<BackupManifest> {
  const path = join(from, MANIFEST_FILE);
  const read = await readCapped(path, MANIFEST_BYTES);
  if (!read.ok) throw new HandoffError("GATEWAY_BACKUP_DAMAGED", `${path}: ${read.detail}.`);
  const document = readDocument(BackupManifest, read.bytes, { bytes: MANIFEST_BYTES });
  if (!document.ok)
    throw new HandoffError("GATEWAY_BACKUP_DAMAGED", `${path}: ${document.path} ${document.problem}.`);
  return document.value;
}
