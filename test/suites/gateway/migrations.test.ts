import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { claim } from "../../../src/gateway/queue/claim.ts";
import { enqueue } from "../../../src/gateway/queue/enqueue.ts";
import { MIGRATIONS } from "../../../src/gateway/queue/sqlite/migrations.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { every, testClock } from "./queue-bench.ts";
import { SQLITE } from "./sqlite-store.ts";

// A database as each earlier version of the schema left it: what was acknowledged is there after the steps.

const ROWS = `
INSERT INTO meta(name, value) VALUES ('gateway_id', 'g_old');
INSERT INTO tasks(task_id, payload, lease_seconds) VALUES ('open', '1', 60);
INSERT INTO tasks(task_id, payload, lease_seconds, state, fence, claims, worker_id, claimed_at, expires_at)
  VALUES ('held', '1', 60, 'leased', 4, 1, 'w', 100, 160);
INSERT INTO tasks(task_id, payload, lease_seconds, state, fence, claims, worker_id, claimed_at, expires_at, result)
  VALUES ('over', '1', 60, 'done', 2, 1, 'w', 100, 160, '42');
INSERT INTO receipts(task_id, version, idempotency_key, worker_id, fence, request, receipt, accepted_at)
  VALUES ('over', 1, 'key', 'w', 2, CAST('request' AS BLOB), CAST('receipt' AS BLOB), 101);
`;

const versions = MIGRATIONS.map((_, index) => index + 1);
test.each(versions)("a database of version %i keeps its tasks, leases and receipts", async (version) => {
  const folder = await temporaryFolder();
  const db = new DatabaseSync(join(folder, "queue.sqlite"));
  db.exec("CREATE TABLE schema_version(version INTEGER PRIMARY KEY, applied_at INTEGER) STRICT");
  MIGRATIONS.slice(0, version).forEach((step, index) => {
    db.exec(step);
    db.exec(`INSERT INTO schema_version(version, applied_at) VALUES (${index + 1}, 0)`);
  });
  db.exec(ROWS);
  if (version > 6)
    db.exec("UPDATE receipts SET place = (SELECT seq * 1048576 + 1 FROM tasks WHERE task_id = 'over')");
  if (version > 1) db.exec("INSERT INTO events(id, at, kind, detail) VALUES (7, 1, 'reopened', '{}')");
  db.close();

  const clock = testClock();
  const store = await SQLITE.open(folder, clock);
  try {
    const queue = { store, faultPoint: null };
    await enqueue(queue, { taskId: "new", payload: 1, leaseSeconds: 60 });
    await store.read(async (rows) => {
      expect(await rows.meta("gateway_id")).toBe("g_old");
      const list = async (state: "ready" | "leased" | "done") =>
        (await rows.tasks({ ...every, state }, 100)).map(({ taskId }) => taskId);
      expect([await list("ready"), await list("leased"), await list("done")]).toEqual([
        ["open", "new"],
        ["held"],
        ["over"],
      ]);
      const receipt = await rows.receiptByKey("over", "key");
      expect([receipt?.request.toString(), receipt?.receipt.toString(), receipt?.acceptedAt]).toEqual([
        "request",
        "receipt",
        101,
      ]);
      const last = (await rows.eventBounds())?.last.id ?? 0;
      expect(last).toBeGreaterThan(version > 1 ? 7 : 0);
    });
    const request = { taskId: "held", workerId: "other", idempotencyKey: null };
    expect(await codeOfPromise(claim(queue, request))).toBe("already_leased");
    clock.seconds = 160;
    expect((await claim(queue, request)).answer.fencing_token).toBe(5);
  } finally {
    await store.close();
  }
});
