import { text } from "../columns.ts";
import { readChecker, readWorker } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import type { Ask } from "./ask.ts";

type PeopleRows = Pick<
  WriteRows,
  | "workers"
  | "workersAfter"
  | "worker"
  | "workerByToken"
  | "insertWorker"
  | "lockWorker"
  | "revokeWorker"
  | "checkers"
  | "checker"
  | "checkerByToken"
  | "insertChecker"
  | "revokeChecker"
  | "revokedAmong"
>;

/** Few, however many tasks there are. */
export const LEASED_BY_FIRST = "seq IN (SELECT seq FROM leased) AND state = 'leased' AND worker_id = $1";
const WORKERS = { name: "workers", text: "SELECT * FROM workers ORDER BY created_at, worker_uuid" };
const WORKERS_AFTER = {
  name: "workers_after",
  text: `SELECT * FROM workers WHERE $1::text IS NULL OR (created_at, worker_uuid) >
    (SELECT created_at, worker_uuid FROM workers WHERE worker_uuid = $1)
   ORDER BY created_at, worker_uuid LIMIT $2`,
};
const WORKER = { name: "worker", text: "SELECT * FROM workers WHERE worker_uuid = $1" };
/** A revocation waits for the claim that read the worker as unrevoked, and then ends its lease (rule 10). */
const WORKER_SHARED = { name: "worker_shared", text: `${WORKER.text} FOR SHARE` };
const WORKER_BY_TOKEN = { name: "worker_by_token", text: "SELECT * FROM workers WHERE token_sha256 = $1" };
const INSERT_WORKER = {
  name: "insert_worker",
  text: `INSERT INTO workers(worker_uuid, name, operator, public_key, token_sha256, created_at, revoked_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
/** Tasks are locked before workers everywhere, in the order of `seq`: no two transactions wait in a ring. */
const LOCK_HELD = {
  name: "lock_held",
  text: `SELECT seq FROM tasks WHERE ${LEASED_BY_FIRST} ORDER BY seq FOR UPDATE`,
};
const LOCK_WORKER = { name: "lock_worker", text: `${WORKER.text} FOR UPDATE` };
const REVOKE_WORKER = {
  name: "revoke_worker",
  text: "UPDATE workers SET revoked_at = COALESCE(revoked_at, $2) WHERE worker_uuid = $1",
};
const CHECKERS = { name: "checkers", text: "SELECT * FROM checkers ORDER BY created_at, checker_uuid" };
const CHECKER = { name: "checker", text: "SELECT * FROM checkers WHERE checker_uuid = $1" };
const CHECKER_BY_TOKEN = {
  name: "checker_by_token",
  text: "SELECT * FROM checkers WHERE token_sha256 = $1",
};
const INSERT_CHECKER = {
  name: "insert_checker",
  text: `INSERT INTO checkers(checker_uuid, name, token_sha256, created_at, revoked_at)
   VALUES ($1, $2, $3, $4, $5)`,
};
const REVOKE_CHECKER = {
  name: "revoke_checker",
  text: "UPDATE checkers SET revoked_at = COALESCE(revoked_at, $2) WHERE checker_uuid = $1",
};

const REVOKED = {
  name: "revoked_among",
  text: `WITH asked AS (SELECT json_array_elements_text($1::json) AS uuid)
   SELECT uuid FROM asked JOIN workers ON worker_uuid = uuid WHERE revoked_at IS NOT NULL
   UNION ALL SELECT uuid FROM asked JOIN checkers ON checker_uuid = uuid WHERE revoked_at IS NOT NULL`,
};

export const peopleRows = (ask: Ask, locking: boolean): PeopleRows => ({
  workers: () => ask.many(WORKERS, readWorker, []),
  workersAfter: (uuid, limit) => ask.many(WORKERS_AFTER, readWorker, [uuid, limit]),
  worker: (uuid) => ask.one(locking ? WORKER_SHARED : WORKER, readWorker, [uuid]),
  workerByToken: (sha256) => ask.one(WORKER_BY_TOKEN, readWorker, [sha256]),
  insertWorker: async (row) => {
    await ask.changed(INSERT_WORKER, [
      row.workerUuid,
      row.name,
      row.operator,
      row.publicKey,
      row.tokenSha256,
      row.createdAt,
      row.revokedAt,
    ]);
  },
  lockWorker: async (uuid) => {
    await ask.many(LOCK_HELD, () => null, [uuid]);
    await ask.one(LOCK_WORKER, () => null, [uuid]);
  },
  revokeWorker: async (uuid, now) => {
    await ask.changed(REVOKE_WORKER, [uuid, now]);
  },
  checkers: () => ask.many(CHECKERS, readChecker, []),
  checker: (uuid) => ask.one(CHECKER, readChecker, [uuid]),
  checkerByToken: (sha256) => ask.one(CHECKER_BY_TOKEN, readChecker, [sha256]),
  insertChecker: async (row) => {
    await ask.changed(INSERT_CHECKER, [
      row.checkerUuid,
      row.name,
      row.tokenSha256,
      row.createdAt,
      row.revokedAt,
    ]);
  },
  revokeChecker: async (uuid, now) => {
    await ask.changed(REVOKE_CHECKER, [uuid, now]);
  },
  revokedAmong: (uuids) => ask.many(REVOKED, (row) => text(row, "uuid"), [JSON.stringify(uuids)]),
});
