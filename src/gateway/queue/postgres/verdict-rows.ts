import { text } from "../columns.ts";
import { readEdge, readStamp, readVerdict } from "../read-rows.ts";
import type { WriteRows } from "../store.ts";
import type { Ask } from "./ask.ts";

type VerdictRows = Pick<
  WriteRows,
  "verdict" | "verdictOf" | "objectDigest" | "stamps" | "edges" | "insertVerdict" | "insertEdge"
>;

const FIND = {
  name: "verdict",
  text: `SELECT * FROM verdicts WHERE object_key = $1 AND ($2::bigint IS NULL OR version = $2)
   AND ($3::text IS NULL OR sha256 = $3) ORDER BY version DESC LIMIT 1`,
};
const OWN = {
  name: "verdict_of",
  text: "SELECT * FROM verdicts WHERE object_key = $1 AND checker_uuid = $2 AND sha256 = $3",
};
const DIGEST = {
  name: "object_digest",
  text: "SELECT sha256 FROM objects WHERE object_key = $1 AND version = $2",
};
/** Versions of an object without their payloads, which can be large. */
const STAMPS = {
  name: "stamps",
  text: `SELECT object_key, version, producer, worker_id AS producer_id, sha256, created_at, NULL::text AS verdict
    FROM objects WHERE object_key = $1
   UNION ALL SELECT object_key, version, producer, checker_uuid, sha256, created_at, verdict
    FROM verdicts WHERE object_key = $1
   ORDER BY version DESC LIMIT $2`,
};
const EDGES = {
  name: "edges",
  text: `SELECT * FROM edges WHERE source_key = $1 AND ($2::bigint IS NULL OR source_version = $2)
   UNION SELECT * FROM edges WHERE target_key = $1 AND ($2 IS NULL OR target_version = $2)
   ORDER BY source_version DESC, source_key, target_key LIMIT $3`,
};
const INSERT = {
  name: "insert_verdict",
  text: `INSERT INTO verdicts(object_key, version, verdict, checker_uuid, producer, payload, sha256, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};
const INSERT_EDGE = {
  name: "insert_edge",
  text: `INSERT INTO edges(source_key, source_version, target_key, relation_kind, target_version, target_sha256)
   VALUES ($1, $2, $3, $4, $5, $6)`,
};

export const verdictRows = (ask: Ask): VerdictRows => ({
  verdict: (key, version, sha256) => ask.one(FIND, readVerdict, [key, version, sha256]),
  verdictOf: (key, checkerUuid, sha256) => ask.one(OWN, readVerdict, [key, checkerUuid, sha256]),
  objectDigest: (key, version) => ask.one(DIGEST, (row) => text(row, "sha256"), [key, version]),
  stamps: (key, limit) => ask.many(STAMPS, readStamp, [key, limit]),
  edges: (key, version, limit) => ask.many(EDGES, readEdge, [key, version, limit]),
  insertVerdict: async (row) => {
    await ask.changed(INSERT, [
      row.key,
      row.version,
      row.verdict,
      row.checkerUuid,
      row.producer,
      row.payload,
      row.sha256,
      row.createdAt,
    ]);
  },
  insertEdge: async (edge) => {
    await ask.changed(INSERT_EDGE, [
      edge.sourceKey,
      edge.sourceVersion,
      edge.targetKey,
      edge.relation,
      edge.targetVersion,
      edge.targetSha256,
    ]);
  },
});
