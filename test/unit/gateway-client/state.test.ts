import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { takeRunLock } from "../../../src/gateway-client/run-lock.ts";
import { openState, type State } from "../../../src/gateway-client/state.ts";
import { codeOf } from "../../support/code-of.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const SHA = "a".repeat(64);
const WORK = {
  gateway_id: "g_00000000-0000-4000-8000-000000000001",
  task_id: "job.a",
  job_sha256: SHA,
  slot: "a" as const,
  executable_sha256: "b".repeat(64),
  fencing_token: 1,
  folder: "runs/a.1.1",
  bundle_sha256: SHA,
  bundle_bytes: 10,
  body_sha256: SHA,
};

async function opened(): Promise<{ state: State; folder: string }> {
  const folder = join(await temporaryFolder(), "state");
  const state = openState(folder, manualClock());
  onTestFinished(() => state.close());
  return { state, folder };
}

test("a pause and a hold are there again after reopening", async () => {
  const { state, folder } = await opened();
  state.hosts.pause("a:1", 1_800_000_120, "HTTP 503");
  state.hosts.hold("b:1", "HTTP 429");
  const again = openState(folder, manualClock());
  onTestFinished(() => again.close());
  expect(again.hosts.look("a:1")).toEqual({ notBefore: 1_800_000_120, held: false, reason: "HTTP 503" });
  expect(again.hosts.look("b:1").held).toBe(true);
  again.hosts.clear("b:1");
  expect(state.hosts.look("b:1").held).toBe(false);
});

test("a gateway is remembered once", async () => {
  const { state } = await opened();
  expect(state.hosts.gatewayId()).toBeNull();
  state.hosts.rememberGateway(WORK.gateway_id);
  expect(state.hosts.gatewayId()).toBe(WORK.gateway_id);
});

test("a key of the outbox is made once and the row stays with its receipt", async () => {
  const { state } = await opened();
  const row = state.outbox.add(WORK);
  expect(state.outbox.pending()).toEqual([row]);
  state.outbox.finish(row.key, Buffer.from("receipt"));
  expect(state.outbox.pending()).toEqual([]);
  expect(Buffer.from(state.outbox.receipt(row.key) ?? []).toString()).toBe("receipt");
  expect(state.outbox.foldersInUse()).toEqual([]);
});

test("discarded work is found again for the same job, slot and executable alone", async () => {
  const { state } = await opened();
  const row = state.outbox.add(WORK);
  state.outbox.discard(row.key, "stale_or_invalid_lease");
  expect(state.outbox.reusable(WORK)?.key).toBe(row.key);
  expect(state.outbox.reusable({ ...WORK, slot: "b" })).toBeNull();
  expect(state.outbox.reusable({ ...WORK, executable_sha256: SHA })).toBeNull();
  expect(state.outbox.foldersInUse()).toEqual([WORK.folder]);
  state.outbox.forgetFolder(WORK.folder);
  expect(state.outbox.reusable(WORK)).toBeNull();
});

test("due times, claim keys and transitions of a task are kept", async () => {
  const { state } = await opened();
  state.jobs.setDue("job.a", 5);
  state.jobs.setClaimKey("job.a", "k");
  state.jobs.record({ taskId: "job.a", fence: 1, state: "claimed", reason: null });
  state.jobs.record({ taskId: "job.a", fence: 1, state: "killed", reason: "RENDER_WATCHDOG" });
  expect(state.jobs.due("job.a")).toBe(5);
  expect(state.jobs.claimKey("job.a")).toBe("k");
  expect(state.jobs.history("job.a").map((one) => one.state)).toEqual(["claimed", "killed"]);
});

test("a state of another version and a folder that is none are refused", async () => {
  const folder = await temporaryFolder();
  const database = new DatabaseSync(join(folder, "state.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(codeOf(() => openState(folder, manualClock()))).toBe("STATE_UNUSABLE");
  writeFileSync(join(folder, "file"), "");
  expect(codeOf(() => openState(join(folder, "file"), manualClock()))).toBe("STATE_UNUSABLE");
});

test("the run lock is held by one run and free again after it", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "run-lock.sqlite");
  const first = takeRunLock(path);
  expect(takeRunLock(path)).toBeNull();
  first?.release();
  const second = takeRunLock(path);
  expect(second).not.toBeNull();
  second?.release();
  mkdirSync(join(folder, "x"));
  expect(codeOf(() => takeRunLock(join(folder, "x")))).toBe("STATE_UNUSABLE");
});
