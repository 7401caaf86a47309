import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../src/core/digest.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import { RESULT } from "./measure.ts";

const SCHEMA = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE tasks(task_id TEXT PRIMARY KEY, payload BLOB NOT NULL, state TEXT NOT NULL, worker_id TEXT,
  fence INTEGER NOT NULL DEFAULT 0, expires_at INTEGER, result BLOB);
CREATE TABLE receipts(task_id TEXT NOT NULL, idempotency_key TEXT NOT NULL, request_sha256 TEXT NOT NULL,
  request BLOB NOT NULL, receipt BLOB NOT NULL, PRIMARY KEY (task_id, idempotency_key));
`;

/**
 * Pairs in a second of as many tables, statements and flushes as the Python reference has, in the SQLite that is
 * part of Node.js and without a rule: what is left for this gateway's rules, events and versions. That SQLite
 * flushes with fsync, Python's on Debian with fdatasync.
 */
export function barePairs(folder: string, count: number): number {
  const db = new DatabaseSync(join(folder, "bare.sqlite"));
  db.exec(SCHEMA);
  const insert = db.prepare("INSERT INTO tasks(task_id, payload, state) VALUES (?, ?, 'ready')");
  for (let n = 0; n < count; n += 1) insert.run(`t.${n}`, canonicalBytes({ work: `t.${n}` }));
  const task = db.prepare("SELECT * FROM tasks WHERE task_id = ?");
  const take = db.prepare(
    "UPDATE tasks SET state = 'leased', worker_id = ?, fence = ?, expires_at = ? WHERE task_id = ?",
  );
  const known = db.prepare("SELECT * FROM receipts WHERE task_id = ? AND idempotency_key = ?");
  const finish = db.prepare("UPDATE tasks SET state = 'done', result = ? WHERE task_id = ?");
  const record = db.prepare("INSERT INTO receipts VALUES (?, ?, ?, ?, ?)");
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")];
  const started = performance.now();
  for (let n = 0; n < count; n += 1) {
    const id = `t.${n}`;
    begin.run();
    task.get(id);
    take.run("worker", 1, 700, id);
    commit.run();
    const raw = canonicalBytes({ task_id: id, worker_id: "worker", fencing_token: 1, result: RESULT });
    const result = canonicalBytes(RESULT);
    begin.run();
    known.get(id, `key.${n}`);
    task.get(id);
    const receipt = canonicalBytes({
      task_id: id,
      request_sha256: sha256(raw),
      result_sha256: sha256(result),
    });
    finish.run(result, id);
    record.run(id, `key.${n}`, sha256(raw), raw, receipt);
    commit.run();
  }
  const rate = count / ((performance.now() - started) / 1_000);
  db.close();
  return rate;
}
