import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BackupManifest } from "../../../contracts/documents/upkeep.ts";
import { TOOL_VERSION } from "../../../contracts/version.ts";
import { type Clock, timestamp } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { writeDurable } from "../../core/files/write-durable.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { blobPath } from "../blobs/folder/open.ts";
import { blobsFolder, DATABASE_FILE, TOKEN_FILE } from "../data-folder.ts";
import { text } from "../queue/columns.ts";
import { readBlob } from "../queue/read-upkeep-rows.ts";
import { sqliteFault } from "../queue/sqlite/fault.ts";
import { openReadOnly, schemaVersion } from "../queue/sqlite/read-only.ts";
import { many, one } from "../queue/sqlite/statements.ts";
import type { BlobRow } from "../queue/upkeep-rows.ts";
import { copyFile, factsOf } from "./copy-file.ts";
import { needDatabase } from "./need-database.ts";
import { newFolder } from "./new-folder.ts";

export const MANIFEST_FILE = "manifest.json";

export interface BackupOptions {
  readonly dataFolder: string;
  /** The folder to make. */
  readonly out: string;
  /** Whether the administrator's token goes along; without it a restored gateway makes a new one. */
  readonly adminToken: boolean;
  readonly clock: Pick<Clock, "wallSeconds" | "uuid">;
}

/**
 * A copy of a gateway's data, whether a gateway serves them or not: one snapshot of the database, then every
 * blob that it lists, each compared with its digest. A blob cannot go while something refers to it, so what
 * the snapshot needs is there until it is copied. Throws GATEWAY_BACKUP_INCOMPLETE, USAGE_OUTPUT_EXISTS,
 * GATEWAY_DATA_INVALID, GATEWAY_DATA_NEWER, GATEWAY_STORE_FAILED; then nothing is left at `out`.
 */
export async function backupGateway(options: BackupOptions): Promise<BackupManifest> {
  const source = await needDatabase(options.dataFolder);
  return newFolder(options.out, options.clock.uuid(), async (folder) => {
    const target = join(folder, DATABASE_FILE);
    snapshot(source, target);
    const copy = new DatabaseSync(target);
    try {
      const version = schemaVersion(copy);
      copy.exec(FORGET_MARKED[version < MARKS_SINCE ? "before" : "since"]);
      const listed = many(copy.prepare("SELECT sha256, bytes FROM blobs ORDER BY sha256"), readBlob);
      const blobs = await copyBlobs({ ...options, folder, copy, source }, listed);
      const gatewayId = one(copy.prepare("SELECT value FROM meta WHERE name = 'gateway_id'"), (row) =>
        text(row, "value"),
      );
      copy.close();
      await synced(target);
      const manifest: BackupManifest = {
        schema: "render_handoff.backup_manifest.v1",
        tool_version: TOOL_VERSION,
        created_at: timestamp(options.clock.wallSeconds()),
        gateway_id: gatewayId ?? "",
        schema_version: version,
        database: await factsOf(target),
        admin_token: options.adminToken
          ? await copyFile(join(options.dataFolder, TOKEN_FILE), join(folder, TOKEN_FILE))
          : null,
        blobs,
      };
      await writeDurable(join(folder, MANIFEST_FILE), canonicalBytes(manifest));
      return manifest;
    } catch (thrown) {
      throw sqliteFault(thrown);
    } finally {
      if (copy.isOpen) copy.close();
    }
  });
}

/** Schema version from which blobs that are being removed are marked. */
const MARKS_SINCE = 4;
const FORGET_MARKED = { before: "", since: "DELETE FROM blobs WHERE removing_since IS NOT NULL" };

/** One read transaction: a gateway goes on writing meanwhile. */
function snapshot(source: string, target: string): void {
  const db = openReadOnly(source);
  try {
    schemaVersion(db);
    db.prepare("VACUUM INTO ?").run(target);
  } catch (thrown) {
    throw sqliteFault(thrown);
  } finally {
    db.close();
  }
}

interface Copying {
  readonly dataFolder: string;
  readonly folder: string;
  /** The snapshot. */
  readonly copy: DatabaseSync;
  /** Path of the database that goes on. */
  readonly source: string;
}

async function copyBlobs(copying: Copying, listed: readonly BlobRow[]): Promise<BlobRow[]> {
  const copied: BlobRow[] = [];
  const faults: string[] = [];
  for (const { sha256, bytes } of listed) {
    const from = blobPath(blobsFolder(copying.dataFolder), sha256);
    const facts = await copyFile(from, blobPath(blobsFolder(copying.folder), sha256));
    if (facts?.sha256 === sha256 && facts.bytes === bytes) copied.push({ sha256, bytes });
    else if (facts === null && removedSince(copying.source, sha256))
      copying.copy.prepare("DELETE FROM blobs WHERE sha256 = ?").run(sha256);
    else faults.push(`blob ${sha256}: ${facts === null ? "missing" : "other bytes"}`);
  }
  if (faults.length > 0)
    throw new HandoffError("GATEWAY_BACKUP_INCOMPLETE", `It is ${faults.length} of ${listed.length}.`, {
      details: faults.slice(0, 40),
    });
  return copied;
}

/** Whether a gateway has removed the blob, to which nothing referred, while the backup was made. */
function removedSince(source: string, sha256: string): boolean {
  const db = openReadOnly(source);
  try {
    const version = schemaVersion(db);
    const unmarked = version < MARKS_SINCE ? "" : "AND removing_since IS NULL";
    return db.prepare(`SELECT 1 AS found FROM blobs WHERE sha256 = ? ${unmarked}`).get(sha256) === undefined;
  } finally {
    db.close();
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
