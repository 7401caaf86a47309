/** Steps of the schema; the n-th brings version n - 1 to n. A step that was released is never edited. */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE clock(id INTEGER PRIMARY KEY CHECK (id = 1), seconds INTEGER NOT NULL) STRICT;
INSERT INTO clock(id, seconds) VALUES (1, 0);
CREATE TABLE jobs(
  job_id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  bytes BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE job_scenes(
  sha256 TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs,
  PRIMARY KEY (sha256, job_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tasks(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL UNIQUE,
  payload TEXT NOT NULL,
  job_id TEXT REFERENCES jobs,
  slot TEXT CHECK (slot IN ('a', 'b')),
  lease_seconds INTEGER NOT NULL CHECK (lease_seconds > 0),
  slot_seconds INTEGER,
  max_claims INTEGER,
  distinct_by TEXT CHECK (distinct_by IN ('worker', 'operator')),
  bundle_bytes INTEGER,
  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'done')),
  version INTEGER NOT NULL DEFAULT 1,
  fence INTEGER NOT NULL DEFAULT 0,
  claims INTEGER NOT NULL DEFAULT 0,
  worker_id TEXT,
  claimed_at INTEGER,
  expires_at INTEGER,
  progress TEXT,
  result TEXT,
  CHECK ((state = 'ready') = (worker_id IS NULL)),
  CHECK ((job_id IS NULL) = (slot IS NULL))
) STRICT;
CREATE UNIQUE INDEX tasks_of_job ON tasks(job_id, slot) WHERE job_id IS NOT NULL;
CREATE INDEX tasks_open ON tasks(seq) WHERE state <> 'done';
CREATE INDEX tasks_held ON tasks(worker_id) WHERE state = 'leased';
CREATE TABLE claims(
  task_id TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fence INTEGER NOT NULL,
  PRIMARY KEY (task_id, worker_id, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE receipts(
  task_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  fence INTEGER NOT NULL,
  request BLOB NOT NULL,
  receipt BLOB NOT NULL,
  accepted_at INTEGER NOT NULL,
  PRIMARY KEY (task_id, version),
  UNIQUE (task_id, idempotency_key)
) STRICT;
CREATE TABLE objects(
  object_key TEXT NOT NULL,
  version INTEGER NOT NULL,
  category TEXT NOT NULL,
  producer TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  fence INTEGER NOT NULL,
  receipt_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (object_key, version)
) STRICT;
CREATE TABLE reasons(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('release', 'reopen')),
  version INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE blobs(sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE TABLE uploads(
  task_id TEXT NOT NULL,
  fence INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (task_id, fence, sha256)
) STRICT, WITHOUT ROWID;
CREATE TABLE workers(
  worker_uuid TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  operator TEXT,
  public_key TEXT,
  token_sha256 TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE TABLE checkers(
  checker_uuid TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
`,
  `
CREATE TABLE events(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task_id TEXT,
  job_id TEXT,
  worker_uuid TEXT,
  detail TEXT NOT NULL
) STRICT;
`,
  `
CREATE TABLE verdicts(
  object_key TEXT NOT NULL,
  version INTEGER NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected')),
  checker_uuid TEXT NOT NULL,
  producer TEXT NOT NULL,
  payload TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (object_key, version),
  UNIQUE (object_key, checker_uuid, sha256)
) STRICT;
CREATE TABLE edges(
  source_key TEXT NOT NULL,
  source_version INTEGER NOT NULL,
  target_key TEXT NOT NULL,
  relation_kind TEXT NOT NULL,
  target_version INTEGER NOT NULL,
  target_sha256 TEXT NOT NULL,
  PRIMARY KEY (source_key, source_version, target_key)
) STRICT;
CREATE INDEX edges_to ON edges(target_key, target_version);
`,
  `
CREATE INDEX reasons_of_task ON reasons(task_id);
ALTER TABLE blobs ADD COLUMN removing_since INTEGER;
CREATE INDEX blobs_removing ON blobs(removing_since) WHERE removing_since IS NOT NULL;
CREATE INDEX objects_bundle ON objects(
  (CASE WHEN substr(payload, 1, 19) = '{"bundle":{"bytes":' THEN substr(payload, instr(payload, '"sha256":"') + 10, 64) END)
);
`,
  // Fewer pages for each commit to write and flush: one index tells what is open and who holds it, a receipt is
  // where its key is, and an event's id needs no counter beside it while the newest event stays.
  `
DROP INDEX tasks_open;
DROP INDEX tasks_held;
CREATE INDEX tasks_open ON tasks(worker_id) WHERE result IS NULL;
ALTER TABLE receipts RENAME TO old_receipts;
CREATE TABLE receipts(
  task_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  fence INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  request BLOB NOT NULL,
  receipt BLOB NOT NULL,
  PRIMARY KEY (task_id, version)
) STRICT, WITHOUT ROWID;
INSERT INTO receipts(task_id, version, idempotency_key, worker_id, fence, accepted_at, request, receipt)
  SELECT task_id, version, idempotency_key, worker_id, fence, accepted_at, request, receipt FROM old_receipts;
DROP TABLE old_receipts;
ALTER TABLE events RENAME TO old_events;
CREATE TABLE events(
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task_id TEXT,
  job_id TEXT,
  worker_uuid TEXT,
  detail TEXT NOT NULL
) STRICT;
INSERT INTO events(id, at, kind, task_id, job_id, worker_uuid, detail)
  SELECT id, at, kind, task_id, job_id, worker_uuid, detail FROM old_events;
DROP TABLE old_events;
`,
  `
CREATE TABLE previews(
  task_id TEXT PRIMARY KEY,
  fence INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  at INTEGER NOT NULL,
  png BLOB NOT NULL
) STRICT;
`,
  // A receipt is stored at its task's place: an insertion at the end of a tree, where a key of text moved whole
  // neighbours at every second one.
  `
ALTER TABLE receipts RENAME TO old_receipts;
CREATE TABLE receipts(
  place INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks(task_id),
  version INTEGER NOT NULL CHECK (version < 1048576),
  idempotency_key TEXT NOT NULL,
  worker_id TEXT NOT NULL,
  fence INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  request BLOB NOT NULL,
  receipt BLOB NOT NULL
) STRICT;
INSERT INTO receipts(place, task_id, version, idempotency_key, worker_id, fence, accepted_at, request, receipt)
  SELECT tasks.seq * 1048576 + old.version, old.task_id, old.version, old.idempotency_key, old.worker_id, old.fence,
    old.accepted_at, old.request, old.receipt
  FROM old_receipts AS old LEFT JOIN tasks ON tasks.task_id = old.task_id;
DROP TABLE old_receipts;
`,
  // A claim changes nothing that an index of tasks knows; what is leased is known in memory.
  `
DROP INDEX tasks_open;
CREATE INDEX tasks_open ON tasks(seq) WHERE result IS NULL;
`,
  // A submit changes no index of tasks: one of what is open would be a page in each of its commits.
  `
CREATE TABLE open_tasks(seq INTEGER PRIMARY KEY) STRICT;
INSERT INTO open_tasks SELECT seq FROM tasks WHERE result IS NULL;
DROP INDEX tasks_open;
CREATE TRIGGER task_added AFTER INSERT ON tasks BEGIN
  INSERT INTO open_tasks VALUES (NEW.seq);
END;
CREATE TRIGGER task_reopened AFTER UPDATE OF version ON tasks BEGIN
  INSERT OR IGNORE INTO open_tasks VALUES (NEW.seq);
END;
`,
];
