import { VERB_FUNCTIONS } from "./verb-functions.ts";

/** Steps of the schema; the n-th brings version n - 1 to n. A step that was released is never edited. */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE clock(id INTEGER PRIMARY KEY CHECK (id = 1), seconds BIGINT NOT NULL);
INSERT INTO clock(id, seconds) VALUES (1, 0);
CREATE TABLE jobs(
  job_id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  bytes BYTEA NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE TABLE job_scenes(
  sha256 TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs,
  PRIMARY KEY (sha256, job_id)
);
CREATE TABLE tasks(
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task_id TEXT NOT NULL UNIQUE,
  payload TEXT NOT NULL,
  job_id TEXT REFERENCES jobs,
  slot TEXT CHECK (slot IN ('a', 'b')),
  lease_seconds BIGINT NOT NULL CHECK (lease_seconds > 0),
  slot_seconds BIGINT,
  max_claims BIGINT,
  distinct_by TEXT CHECK (distinct_by IN ('worker', 'operator')),
  bundle_bytes BIGINT,
  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'done')),
  version BIGINT NOT NULL DEFAULT 1,
  fence BIGINT NOT NULL DEFAULT 0,
  claims BIGINT NOT NULL DEFAULT 0,
  worker_id TEXT,
  claimed_at BIGINT,
  expires_at BIGINT,
  progress TEXT,
  result TEXT,
  CHECK ((state = 'ready') = (worker_id IS NULL)),
  CHECK ((job_id IS NULL) = (slot IS NULL))
);
CREATE UNIQUE INDEX tasks_of_job ON tasks(job_id, slot) WHERE job_id IS NOT NULL;
CREATE INDEX tasks_open ON tasks(seq) WHERE state <> 'done';
CREATE INDEX tasks_held ON tasks(worker_id) WHERE state = 'leased';
CREATE TABLE claims(
  task_id TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fence BIGINT NOT NULL,
  PRIMARY KEY (task_id, worker_id, idempotency_key)
);
CREATE TABLE receipts(
  task_id TEXT NOT NULL,
  version BIGINT NOT NULL,
  idempotency_key TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  fence BIGINT NOT NULL,
  request BYTEA NOT NULL,
  receipt BYTEA NOT NULL,
  accepted_at BIGINT NOT NULL,
  PRIMARY KEY (task_id, version),
  UNIQUE (task_id, idempotency_key)
);
CREATE TABLE objects(
  object_key TEXT NOT NULL,
  version BIGINT NOT NULL,
  category TEXT NOT NULL,
  producer TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  fence BIGINT NOT NULL,
  receipt_sha256 TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (object_key, version)
);
CREATE TABLE reasons(
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('release', 'reopen')),
  version BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  reason TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE TABLE blobs(sha256 TEXT PRIMARY KEY, bytes BIGINT NOT NULL, created_at BIGINT NOT NULL);
CREATE TABLE uploads(
  task_id TEXT NOT NULL,
  fence BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (task_id, fence, sha256)
);
CREATE TABLE workers(
  worker_uuid TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  operator TEXT,
  public_key TEXT,
  token_sha256 TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);
CREATE TABLE checkers(
  checker_uuid TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);
`,
  `
CREATE TABLE events(
  tx BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
  id BIGINT GENERATED ALWAYS AS IDENTITY,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  task_id TEXT,
  job_id TEXT,
  worker_uuid TEXT,
  detail TEXT NOT NULL,
  PRIMARY KEY (tx, id)
);
`,
  `
CREATE TABLE verdicts(
  object_key TEXT NOT NULL,
  version BIGINT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected')),
  checker_uuid TEXT NOT NULL,
  producer TEXT NOT NULL,
  payload TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (object_key, version),
  UNIQUE (object_key, checker_uuid, sha256)
);
CREATE TABLE edges(
  source_key TEXT NOT NULL,
  source_version BIGINT NOT NULL,
  target_key TEXT NOT NULL,
  relation_kind TEXT NOT NULL,
  target_version BIGINT NOT NULL,
  target_sha256 TEXT NOT NULL,
  PRIMARY KEY (source_key, source_version, target_key)
);
CREATE INDEX edges_to ON edges(target_key, target_version);
`,
  `
CREATE INDEX reasons_of_task ON reasons(task_id);
ALTER TABLE blobs ADD COLUMN removing_since BIGINT;
CREATE INDEX blobs_removing ON blobs(removing_since) WHERE removing_since IS NOT NULL;
CREATE INDEX objects_bundle ON objects(
  (substring(payload from '^[{]"bundle":[{]"bytes":[0-9]+,"sha256":"([0-9a-f]{64})"'))
);
`,
  `
CREATE TABLE previews(
  task_id TEXT PRIMARY KEY,
  fence BIGINT NOT NULL,
  frame BIGINT NOT NULL,
  at BIGINT NOT NULL,
  png BYTEA NOT NULL
);
`,
  // A claim changes nothing that an index of tasks knows, and a page keeps room for a row's next version: then it
  // writes one page of the table, and no index, however many tasks there are. Who is leased is a table of its own.
  `
DROP INDEX tasks_open;
DROP INDEX tasks_held;
ALTER TABLE tasks SET (fillfactor = 80);
CREATE INDEX tasks_open ON tasks(seq) WHERE result IS NULL;
CREATE TABLE leased(seq BIGINT PRIMARY KEY);
INSERT INTO leased(seq) SELECT seq FROM tasks WHERE state = 'leased';
`,
  VERB_FUNCTIONS,
];
