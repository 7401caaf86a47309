import { permanent, reject, usage } from "./entry.ts";

const damaged = (summary: string, action: string) => reject("gateway", summary, action);
const RESTORE = "Restore a backup, or ask the gateway's makers with the report at hand.";

/** Codes of backup, restore, check and gc. */
export const UPKEEP_CODES = {
  USAGE_BACKUP_ELSEWHERE: usage(
    "This part of the gateway is kept by another program, which makes its own backups.",
    "Use pg_dump for PostgreSQL and the bucket's own tools for S3: docs/OPERATIONS.md.",
  ),
  GATEWAY_DATA_NEWER: permanent(
    null,
    "The gateway's data were written by a newer version of this program.",
    "Run that version, or restore a backup of before the upgrade.",
  ),
  GATEWAY_BACKUP_INCOMPLETE: permanent(
    null,
    "Blobs that the gateway needs are missing or damaged, so no backup was made.",
    "See 'render-handoff gateway check'; an older backup may have them.",
  ),
  GATEWAY_BACKUP_DAMAGED: permanent(
    null,
    "The backup does not have the files and digests of its manifest, so nothing was restored.",
    "Use another copy of the backup, or an older one.",
  ),
  CHECK_DATABASE: damaged("The database finds its own files damaged.", RESTORE),
  CHECK_JOB: damaged("A job's bytes do not have the digest or the id under which they are stored.", RESTORE),
  CHECK_TASK_PAYLOAD: damaged("A slot's task does not name the job that is stored.", RESTORE),
  CHECK_TASK_RECEIPT: damaged("A task is done without a receipt, or has a receipt and is not done.", RESTORE),
  CHECK_FENCE: damaged("A lease or a receipt has a fence that its task has not reached.", RESTORE),
  CHECK_RECEIPT_BYTES: damaged("A receipt is not the canonical JSON that was given out.", RESTORE),
  CHECK_RECEIPT_ROW: damaged("A receipt names another task, worker, key or fence than its row.", RESTORE),
  CHECK_RECEIPT_REQUEST: damaged("A receipt's request_sha256 is not that of the stored body.", RESTORE),
  CHECK_RECEIPT_RESULT: damaged(
    "A receipt's result_sha256 is not that of the stored body's result.",
    RESTORE,
  ),
  CHECK_OBJECT_SHA256: damaged("An object's payload does not have its digest.", RESTORE),
  CHECK_OBJECT_RECEIPT: damaged("An object does not agree with the receipt that it came with.", RESTORE),
  CHECK_OBJECT_MISSING: damaged("An accepted slot has no object.", RESTORE),
  CHECK_VERDICT: damaged("A verdict does not agree with its row, its job or this gateway.", RESTORE),
  CHECK_EDGE: damaged(
    "A verdict is pinned to an object version that is not there with that digest, or its edge says another one.",
    RESTORE,
  ),
  CHECK_BLOB_UNRECORDED: damaged("A job or a result names a blob that the database does not list.", RESTORE),
  CHECK_BLOB_MISSING: damaged("A listed blob is not there in its size.", RESTORE),
  CHECK_BLOB_SHA256: damaged("A blob's bytes do not have its digest.", RESTORE),
} as const;
