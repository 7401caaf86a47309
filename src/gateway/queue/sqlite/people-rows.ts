import type { DatabaseSync } from "node:sqlite";
import { text } from "../columns.ts";
import { readChecker, readWorker } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import { many, one } from "./statements.ts";

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

export function peopleRows(db: DatabaseSync): PeopleRows {
  const workers = db.prepare("SELECT * FROM workers ORDER BY created_at, worker_uuid");
  const workersAfter = db.prepare(
    `SELECT * FROM workers WHERE ?1 IS NULL OR (created_at, worker_uuid) >
      (SELECT created_at, worker_uuid FROM workers WHERE worker_uuid = ?1)
     ORDER BY created_at, worker_uuid LIMIT ?2`,
  );
  const worker = db.prepare("SELECT * FROM workers WHERE worker_uuid = ?");
  const workerByToken = db.prepare("SELECT * FROM workers WHERE token_sha256 = ?");
  const insertWorker = db.prepare(
    `INSERT INTO workers(worker_uuid, name, operator, public_key, token_sha256, created_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const revokeWorker = db.prepare(
    "UPDATE workers SET revoked_at = COALESCE(revoked_at, ?) WHERE worker_uuid = ?",
  );
  const checkers = db.prepare("SELECT * FROM checkers ORDER BY created_at, checker_uuid");
  const checker = db.prepare("SELECT * FROM checkers WHERE checker_uuid = ?");
  const checkerByToken = db.prepare("SELECT * FROM checkers WHERE token_sha256 = ?");
  const insertChecker = db.prepare(
    "INSERT INTO checkers(checker_uuid, name, token_sha256, created_at, revoked_at) VALUES (?, ?, ?, ?, ?)",
  );
  const revokeChecker = db.prepare(
    "UPDATE checkers SET revoked_at = COALESCE(revoked_at, ?) WHERE checker_uuid = ?",
  );
  const revoked = db.prepare(
    `SELECT worker_uuid AS uuid FROM workers JOIN json_each(?1) ON value = worker_uuid WHERE revoked_at IS NOT NULL
     UNION ALL
     SELECT checker_uuid FROM checkers JOIN json_each(?1) ON value = checker_uuid WHERE revoked_at IS NOT NULL`,
  );
  return {
    workers: async () => many(workers, readWorker),
    workersAfter: async (uuid, limit) => many(workersAfter, readWorker, uuid, limit),
    worker: async (uuid) => one(worker, readWorker, uuid),
    workerByToken: async (sha256) => one(workerByToken, readWorker, sha256),
    insertWorker: async (row) => {
      insertWorker.run(
        row.workerUuid,
        row.name,
        row.operator,
        row.publicKey,
        row.tokenSha256,
        row.createdAt,
        row.revokedAt,
      );
    },
    // a writer has the whole database for itself
    lockWorker: async () => {},
    revokeWorker: async (uuid, now) => {
      revokeWorker.run(now, uuid);
    },
    checkers: async () => many(checkers, readChecker),
    checker: async (uuid) => one(checker, readChecker, uuid),
    checkerByToken: async (sha256) => one(checkerByToken, readChecker, sha256),
    insertChecker: async (row) => {
      insertChecker.run(row.checkerUuid, row.name, row.tokenSha256, row.createdAt, row.revokedAt);
    },
    revokeChecker: async (uuid, now) => {
      revokeChecker.run(now, uuid);
    },
    revokedAmong: async (uuids) => many(revoked, (row) => text(row, "uuid"), JSON.stringify(uuids)),
  };
}
