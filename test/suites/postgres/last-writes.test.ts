import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { schemaOf } from "../../support/postgres.ts";
import { postgresOfFile } from "../../support/postgres-of-file.ts";
import { temporaryFolder } from "../../support/temporary.ts";

// The last writes of a transaction are sent with their COMMIT. Here the server is stopped inside each of them, with
// nobody at a fault point, and one of the two ends: the gateway, or the server's side of the connection.

const cluster = postgresOfFile();
/** Any number; whoever holds it stops the writes. */
const STOP = 77;

const claim = (gateway: TestGateway, worker: TestWorker) =>
  gateway.call("/q/claim", {
    method: "POST",
    token: worker.token,
    headers: { "idempotency-key": "claim-1" },
    body: { task_id: "task", worker_id: worker.workerUuid },
  });
const submit = (gateway: TestGateway, worker: TestWorker) =>
  gateway.call("/q/submit", {
    method: "POST",
    token: worker.token,
    headers: { "idempotency-key": "key-1" },
    body: canonicalBytes({
      task_id: "task",
      worker_id: worker.workerUuid,
      fencing_token: 1,
      result: { answer: 42 },
    }),
  });
const VERBS = { claim, submit };

/** A gateway on a schema of its own in which writes to the table wait until they are let go. */
async function stopped(verb: keyof typeof VERBS, write: string) {
  const schema = await schemaOf(cluster(), await temporaryFolder());
  const storeUrl = cluster().url(schema);
  const survivor = await startGateway({ storeUrl });
  await survivor.call("/q/enqueue", {
    method: "POST",
    body: { task_id: "task", payload: { work: 1 }, lease_seconds: 600 },
  });
  const worker = await survivor.registerWorker();
  if (verb === "submit") await claim(survivor, worker);
  await cluster().query(
    `CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM pg_advisory_xact_lock(${STOP}); RETURN NEW; END $$;
     CREATE TRIGGER stop BEFORE ${write} FOR EACH ROW EXECUTE FUNCTION stop()`,
    schema,
  );
  const holder = new pg.Client({ connectionString: cluster().url() });
  await holder.connect();
  onTestFinished(() => holder.end().catch(() => {}));
  await holder.query(`SELECT pg_advisory_lock(${STOP})`);
  const waiting = () =>
    cluster().query("SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory' AND state = 'active'");
  return {
    storeUrl,
    survivor,
    worker,
    isStopped: () => expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(1),
    /** Ends the server's side of the connection that waits. */
    cut: () =>
      cluster().query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory'"),
    letGo: () => holder.query(`SELECT pg_advisory_unlock(${STOP})`),
    isOver: () => expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(0),
  };
}

const ROWS: readonly (readonly [keyof typeof VERBS, string])[] = [
  ["claim", "UPDATE ON tasks"],
  ["claim", "INSERT ON claims"],
  ["submit", "UPDATE ON tasks"],
  ["submit", "INSERT ON receipts"],
];

test.each(ROWS)("a gateway that is killed within the %s's %s leaves all or nothing", async (verb, write) => {
  const { storeUrl, survivor, worker, isStopped, letGo, isOver } = await stopped(verb, write);
  const victim = await startGatewayProcess({ storeUrl, adminToken: survivor.adminToken });
  const lost = expect(VERBS[verb](victim, worker)).rejects.toThrow();
  await isStopped();
  await victim.kill();
  await lost;
  await letGo();
  await isOver();
  const before = (await survivor.call("/q/task/task")).json();
  const again = await VERBS[verb](survivor, worker);
  expect(again.status).toBe(200);
  const committed = before["state"] === (verb === "claim" ? "leased" : "done");
  expect(again.headers["idempotent-replayed"]).toBe(committed ? "true" : undefined);
  expect((await survivor.call("/q/task/task")).json()).toMatchObject({ fencing_token: 1, claims: 1 });
  if (verb === "submit")
    expect((await survivor.call("/q/receipt/task")).bytes.equals(again.bytes)).toBe(true);
});

test.each(ROWS)("a connection that is cut within the %s's %s leaves nothing", async (verb, write) => {
  const { survivor, worker, isStopped, cut, letGo, isOver } = await stopped(verb, write);
  const before = (await survivor.call("/q/task/task")).json();
  const first = VERBS[verb](survivor, worker);
  await isStopped();
  await cut();
  expect((await first).code).toBe("unavailable");
  await letGo();
  await isOver();
  expect((await survivor.call("/q/task/task")).json()).toEqual(before);
  const again = await VERBS[verb](survivor, worker);
  expect(again.status).toBe(200);
  expect(again.headers["idempotent-replayed"]).toBeUndefined();
});
