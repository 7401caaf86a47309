import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { secondsOf, systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { enqueue } from "../../../src/dispatch/enqueue.ts";
import { listEntries } from "../../../src/dispatch/list-entries.ts";
import { runDue } from "../../../src/dispatch/run-due.ts";
import { unhold } from "../../../src/dispatch/unhold.ts";
import { takeRunLock } from "../../../src/gateway-client/run-lock.ts";
import { runChild } from "../../../src/render-child/run.ts";
import { putJob } from "../../support/child.ts";
import { codeOf, codeOfPromise } from "../../support/code-of.ts";
import { again, dispatchOptions, outputOf } from "../../support/dispatch.ts";
import { startGateway } from "../../support/gateway.ts";
import { cut, problem, rawServer } from "../../support/raw-server.ts";

const entriesOf = (stateFolder: string) => listEntries(stateFolder, systemClock);

test("completed: the slot is handed in, has no next due, every exchange is captured without the token", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const worker = await gateway.registerWorker();
  const options = await dispatchOptions(gateway.url, worker);
  const result = await runDue(options);
  expect(result).toMatchObject({ outcome: "completed", id: "entry", reason: null, next_due_utc: null });
  const captured = outputOf(options);
  expect(captured.result).toEqual(result);
  expect(captured.exchanges).toHaveLength(result.exchanges);
  const routes = captured.exchanges.map((one) => one.route);
  expect(routes).toEqual(expect.arrayContaining(["wellKnown", "getJob", "claim", "putBlob", "submit"]));
  const receipt = (await gateway.call("/q/receipt/shot.a")).bytes;
  expect(captured.exchanges.find((one) => one.route === "submit")).toMatchObject({
    status: 200,
    attempt: 1,
    body: { sha256: sha256(receipt), bytes: receipt.byteLength, kept: receipt.byteLength },
    request_headers: { "idempotency-key": expect.any(String) },
  });
  expect(captured.text).not.toContain(worker.token);
  expect(captured.text.toLowerCase()).not.toContain("authorization");

  expect(entriesOf(options.stateFolder)).toMatchObject([{ state: "done", next_due_utc: null, runs: 1 }]);
  const next = await again(options);
  const none = { outcome: "no_due_job", id: null, next_due_utc: null, exchanges: 0, child: null };
  expect(await runDue(next)).toMatchObject(none);
  expect(outputOf(next)).toMatchObject({ result: none, names: [] });
});

test("an entry without a job takes one slot after another and comes due again after its pause", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const options = await dispatchOptions(gateway.url, await gateway.registerWorker(), { jobId: null });
  const first = await runDue(options);
  expect(first).toMatchObject({ outcome: "completed", child: { task_id: "shot.a" } });
  const ahead = (secondsOf(first.next_due_utc ?? "") ?? 0) - systemClock.wallSeconds();
  expect(ahead).toBeGreaterThan(50);
  expect(await runDue(await again(options))).toMatchObject({ outcome: "no_due_job", exchanges: 0 });
  const later = { ...(await again(options)), now: systemClock.wallSeconds() + 61 };
  expect(await runDue(later)).toMatchObject({ outcome: "no_due_job", id: "entry", child: { task_id: null } });
});

test("deferred: 503 with Retry-After 120 is two minutes ahead, and until then no request is made", async () => {
  const server = await rawServer(problem(503, "unavailable", { "retry-after": "120" }));
  const options = await dispatchOptions(server.url);
  const result = await runDue(options);
  expect(result).toMatchObject({ outcome: "deferred", reason: "GATEWAY_UNAVAILABLE", exchanges: 1 });
  const due = secondsOf(result.next_due_utc ?? "") ?? 0;
  expect(due - systemClock.wallSeconds()).toBeGreaterThan(110);
  expect(due - systemClock.wallSeconds()).toBeLessThanOrEqual(121);
  expect(await runDue(await again(options))).toMatchObject({
    outcome: "no_due_job",
    next_due_utc: result.next_due_utc,
  });
  // by hand it is told as what it is, without a request as well
  const byHand = await runChild({
    ...options,
    slot: "a",
    jobId: "shot",
    gatewayUrl: server.url,
    drainOnly: false,
  });
  expect(byHand).toMatchObject({ outcome: "deferred", next_due_utc: result.next_due_utc });
  expect(server.seen).toHaveLength(1);
  await runDue({ ...(await again(options)), now: due });
  expect(server.seen).toHaveLength(2);
});

test("held: a pause that cannot be represented stops the host until an operator clears it", async () => {
  const server = await rawServer(problem(503, "unavailable", { "retry-after": "99999999999999999999" }));
  const host = new URL(server.url).host;
  const options = await dispatchOptions(server.url);
  expect(await runDue(options)).toMatchObject({ outcome: "held", next_due_utc: null, held: [host] });
  const next = { outcome: "no_due_job", reason: "GATEWAY_HELD", next_due_utc: null, held: [host] };
  expect(await runDue(await again(options))).toMatchObject(next);
  expect(server.seen).toHaveLength(1);
  const { stateFolder } = options;
  expect(entriesOf(stateFolder)).toMatchObject([{ state: "waiting", next_due_utc: null }]);
  expect(codeOf(() => unhold({ stateFolder, name: "other:1", clock: systemClock }))).toBe(
    "USAGE_DISPATCH_NOT_HELD",
  );
  expect(unhold({ stateFolder, name: host, clock: systemClock })).toBe("host");
  expect((await runDue(await again(options))).outcome).toBe("held");
  expect(server.seen).toHaveLength(2);
});

test("enqueue of a known id fails and resets neither its due time nor its host's gate", async () => {
  const server = await rawServer(problem(503, "unavailable", { "retry-after": "120" }));
  const options = await dispatchOptions(server.url);
  await runDue(options);
  const before = entriesOf(options.stateFolder);
  const repeated = () =>
    enqueue({
      stateFolder: options.stateFolder,
      id: "entry",
      slot: "b",
      jobId: null,
      gatewayUrl: server.url,
      allowInsecure: false,
      everySeconds: 5,
      due: 0,
      clock: systemClock,
    });
  expect(codeOf(repeated)).toBe("USAGE_DISPATCH_KNOWN");
  expect(entriesOf(options.stateFolder)).toEqual(before);
  await runDue(await again(options));
  expect(server.seen).toHaveLength(1);
});

test("busy: another run holds the state folder; no request, nothing changed, a result all the same", async () => {
  const server = await rawServer(cut);
  const options = await dispatchOptions(server.url);
  const before = entriesOf(options.stateFolder);
  const lock = takeRunLock(join(options.stateFolder, "run-lock.sqlite"));
  const result = await runDue(options);
  lock?.release();
  expect(result).toMatchObject({ outcome: "busy", exchanges: 0, child: null });
  expect(outputOf(options).result).toEqual(result);
  expect(server.seen).toEqual([]);
  expect(entriesOf(options.stateFolder)).toEqual(before);
});

test("a gateway that breaks off gets three attempts, then the entry waits longer each time", async () => {
  const server = await rawServer(cut);
  const options = await dispatchOptions(server.url);
  const first = await runDue(options);
  expect(first).toMatchObject({ outcome: "failed", reason: "GATEWAY_CONNECTION_LOST", exchanges: 3 });
  expect(server.seen).toHaveLength(3);
  const due = secondsOf(first.next_due_utc ?? "") ?? 0;
  const second = await runDue({ ...(await again(options)), now: due });
  expect((secondsOf(second.next_due_utc ?? "") ?? 0) - due).toBeGreaterThanOrEqual(60);
});

test("a job that cannot be rendered holds its entry until an operator clears it", async () => {
  const gateway = await startGateway();
  const options = await dispatchOptions(gateway.url, await gateway.registerWorker());
  expect(await runDue(options)).toMatchObject({ outcome: "failed", reason: "job_unknown", held: ["entry"] });
  const next = await runDue(await again(options));
  expect(next).toMatchObject({ outcome: "no_due_job", reason: null, held: ["entry"], exchanges: 0 });
  const { stateFolder } = options;
  await putJob(gateway, "honest");
  expect(unhold({ stateFolder, name: "entry", clock: systemClock })).toBe("entry");
  expect((await runDue(await again(options))).outcome).toBe("completed");
});

test("an output folder that is there is refused before anything is looked at", async () => {
  const server = await rawServer(cut);
  const options = await dispatchOptions(server.url);
  await runDue(options);
  expect(await codeOfPromise(runDue(options))).toBe("USAGE_OUTPUT_EXISTS");
});

test("--now is refused where a gateway is not on this machine, and nothing is noted", async () => {
  const options = await dispatchOptions("https://render.example");
  const now = systemClock.wallSeconds();
  expect(await codeOfPromise(runDue({ ...options, now }))).toBe("USAGE_NOW_NOT_LOCAL");
  expect(entriesOf(options.stateFolder)).toMatchObject([{ runs: 0, last_outcome: null }]);
  expect(existsSync(options.outputFolder)).toBe(false);
});
