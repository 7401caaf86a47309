import type { DatabaseSync } from "node:sqlite";
import { integer, text } from "../columns.ts";
import { readObject, readReceipt } from "../read-rows.ts";
import type { NewEvent } from "../rows.ts";
import type { WriteRows } from "../store.ts";
import { many, one } from "./statements.ts";

type ReceiptRows = Pick<
  WriteRows,
  "claimFence" | "receipt" | "receiptByKey" | "hasReceipt" | "passedOver" | "insertReceipt" | "objectVersions"
>;

const VERSIONS = 1_048_576;
/** A task's receipts are neighbours, in the order of its versions. */
export const receiptsOf = (seq: string): string =>
  `receipts.place BETWEEN ${seq} * ${VERSIONS} AND ${seq} * ${VERSIONS} + ${VERSIONS - 1}`;
const SEQ = "(SELECT seq FROM tasks WHERE task_id = ?1)";
const PLACE = `${SEQ} * ${VERSIONS} + ?2`;
const OF_TASK = receiptsOf(SEQ);

export function receiptRows(
  db: DatabaseSync,
  tell: (event: NewEvent) => void,
  delist: (seq: number) => void,
): ReceiptRows {
  const claim = db.prepare(
    "SELECT fence FROM claims WHERE task_id = ? AND worker_id = ? AND idempotency_key = ?",
  );
  const byVersion = db.prepare(`SELECT * FROM receipts WHERE place = ${PLACE}`);
  const byKey = db.prepare(`SELECT * FROM receipts WHERE ${OF_TASK} AND idempotency_key = ?2`);
  const byWorker = db.prepare(`SELECT 1 AS found FROM receipts WHERE ${OF_TASK} AND worker_id = ?2 LIMIT 1`);
  const passed = db.prepare(`SELECT DISTINCT worker_id FROM receipts WHERE ${OF_TASK} AND version < ?2`);
  const insert = db.prepare(
    `INSERT INTO receipts(place, task_id, version, idempotency_key, worker_id, fence, request, receipt, accepted_at)
     VALUES (${PLACE}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
  );
  const objects = db.prepare("SELECT * FROM objects WHERE object_key = ? ORDER BY version DESC");
  const insertObject = db.prepare(
    `INSERT INTO objects(object_key, version, category, producer, worker_id, task_id, payload, sha256, fence,
     receipt_sha256, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    claimFence: async (taskId, workerId, key) =>
      one(claim, (row) => integer(row, "fence"), taskId, workerId, key),
    receipt: async (taskId, version) => one(byVersion, readReceipt, taskId, version),
    receiptByKey: async (taskId, key) => one(byKey, readReceipt, taskId, key),
    hasReceipt: async (taskId, workerId) => byWorker.get(taskId, workerId) !== undefined,
    passedOver: async (task) => many(passed, (row) => text(row, "worker_id"), task.taskId, task.version),
    insertReceipt: async (row, object, told) => {
      tell(told);
      const { lastInsertRowid } = insert.run(
        row.taskId,
        row.version,
        row.idempotencyKey,
        row.workerId,
        row.fence,
        row.request,
        row.receipt,
        row.acceptedAt,
      );
      delist(Math.floor(Number(lastInsertRowid) / VERSIONS));
      if (object === null) return;
      insertObject.run(
        object.key,
        object.version,
        object.category,
        object.producer,
        object.workerId,
        object.taskId,
        object.payload,
        object.sha256,
        object.fence,
        object.receiptSha256,
        object.createdAt,
      );
    },
    objectVersions: async (key) => many(objects, readObject, key),
  };
}
