import type { DatabaseSync } from "node:sqlite";
import { text } from "../columns.ts";
import { readEdge, readStamp, readVerdict } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import { many, one } from "./statements.ts";

type VerdictRows = Pick<
  WriteRows,
  "verdict" | "verdictOf" | "objectDigest" | "stamps" | "edges" | "insertVerdict" | "insertEdge"
>;

/** Versions of an object without their payloads, which can be large. */
const STAMPS = `SELECT object_key, version, producer, worker_id AS producer_id, sha256, created_at, NULL AS verdict
  FROM objects WHERE object_key = ?1
 UNION ALL SELECT object_key, version, producer, checker_uuid, sha256, created_at, verdict
  FROM verdicts WHERE object_key = ?1
 ORDER BY version DESC LIMIT ?2`;

export function verdictRows(db: DatabaseSync): VerdictRows {
  const find = db.prepare(
    `SELECT * FROM verdicts WHERE object_key = ?1 AND (?2 IS NULL OR version = ?2) AND (?3 IS NULL OR sha256 = ?3)
     ORDER BY version DESC LIMIT 1`,
  );
  const own = db.prepare("SELECT * FROM verdicts WHERE object_key = ? AND checker_uuid = ? AND sha256 = ?");
  const digest = db.prepare("SELECT sha256 FROM objects WHERE object_key = ? AND version = ?");
  const stamps = db.prepare(STAMPS);
  const edges = db.prepare(
    `SELECT * FROM edges WHERE source_key = ?1 AND (?2 IS NULL OR source_version = ?2)
     UNION SELECT * FROM edges WHERE target_key = ?1 AND (?2 IS NULL OR target_version = ?2)
     ORDER BY source_version DESC, source_key, target_key LIMIT ?3`,
  );
  const insert = db.prepare(
    `INSERT INTO verdicts(object_key, version, verdict, checker_uuid, producer, payload, sha256, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertEdge = db.prepare(
    `INSERT INTO edges(source_key, source_version, target_key, relation_kind, target_version, target_sha256)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return {
    verdict: async (key, version, sha256) => one(find, readVerdict, key, version, sha256),
    verdictOf: async (key, checkerUuid, sha256) => one(own, readVerdict, key, checkerUuid, sha256),
    objectDigest: async (key, version) => one(digest, (row) => text(row, "sha256"), key, version),
    stamps: async (key, limit) => many(stamps, readStamp, key, limit),
    edges: async (key, version, limit) => many(edges, readEdge, key, version, limit),
    insertVerdict: async (row) => {
      insert.run(
        row.key,
        row.version,
        row.verdict,
        row.checkerUuid,
        row.producer,
        row.payload,
        row.sha256,
        row.createdAt,
      );
    },
    insertEdge: async (edge) => {
      insertEdge.run(
        edge.sourceKey,
        edge.sourceVersion,
        edge.targetKey,
        edge.relation,
        edge.targetVersion,
        edge.targetSha256,
      );
    },
  };
}
