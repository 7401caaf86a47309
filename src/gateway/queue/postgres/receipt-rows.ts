import { integer, text } from "../columns.ts";
import { readObject, readReceipt } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import type { Ask } from "./ask.ts";
import { eventValues, insertEvent } from "./told-events.ts";

type ReceiptRows = Pick<
  WriteRows,
  "claimFence" | "receipt" | "receiptByKey" | "hasReceipt" | "passedOver" | "insertReceipt" | "objectVersions"
>;

const CLAIM = {
  name: "claim_fence",
  text: "SELECT fence FROM claims WHERE task_id = $1 AND worker_id = $2 AND idempotency_key = $3",
};
const BY_VERSION = {
  name: "receipt",
  text: "SELECT * FROM receipts WHERE task_id = $1 AND version = $2",
};
const BY_KEY = {
  name: "receipt_by_key",
  text: "SELECT * FROM receipts WHERE task_id = $1 AND idempotency_key = $2",
};
const BY_WORKER = {
  name: "has_receipt",
  text: "SELECT 1 AS found FROM receipts WHERE task_id = $1 AND worker_id = $2 LIMIT 1",
};
const PASSED = {
  name: "passed_over",
  text: "SELECT DISTINCT worker_id FROM receipts WHERE task_id = $1 AND version < $2",
};
const RECORDED = `INSERT INTO receipts(task_id, version, idempotency_key, worker_id, fence, request, receipt,
   accepted_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const INSERT = { name: "insert_receipt", text: `WITH told AS (${insertEvent(9)}) ${RECORDED}` };
const OBJECTS = {
  name: "objects",
  text: "SELECT * FROM objects WHERE object_key = $1 ORDER BY version DESC",
};
const INSERT_WITH_OBJECT = {
  name: "insert_receipt_with_object",
  text: `WITH told AS (${insertEvent(9)}), recorded AS (${RECORDED})
   INSERT INTO objects(object_key, version, category, producer, worker_id, task_id, payload, sha256, fence,
   receipt_sha256, created_at) VALUES ($15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)`,
};

export const receiptRows = (ask: Ask): ReceiptRows => ({
  claimFence: (taskId, workerId, key) =>
    ask.one(CLAIM, (row) => integer(row, "fence"), [taskId, workerId, key]),
  receipt: (taskId, version) => ask.one(BY_VERSION, readReceipt, [taskId, version]),
  receiptByKey: (taskId, key) => ask.one(BY_KEY, readReceipt, [taskId, key]),
  hasReceipt: async (taskId, workerId) => (await ask.one(BY_WORKER, () => true, [taskId, workerId])) !== null,
  passedOver: (task) => ask.many(PASSED, (row) => text(row, "worker_id"), [task.taskId, task.version]),
  insertReceipt: async (row, object, told) => {
    const receipt = [
      row.taskId,
      row.version,
      row.idempotencyKey,
      row.workerId,
      row.fence,
      row.request,
      row.receipt,
      row.acceptedAt,
      ...eventValues(told),
    ];
    if (object === null) return void (await ask.changed(INSERT, receipt));
    await ask.changed(INSERT_WITH_OBJECT, [
      ...receipt,
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
    ]);
  },
  objectVersions: (key) => ask.many(OBJECTS, readObject, [key]),
});
