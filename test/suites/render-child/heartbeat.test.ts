import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { MARKER_VARIABLE } from "../../../src/blender/containment/command.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { ENDED, type HeartbeatOrders } from "../../../src/render-child/heartbeat/orders.ts";
import { startHeartbeatThread } from "../../../src/render-child/heartbeat/start.ts";
import { cut, GATEWAY_ID, json, problem, type RawServer, rawServer } from "../../support/raw-server.ts";

const LEASE = { task_id: "job.a", worker_id: "w_00000000-0000-4000-8000-000000000001", fencing_token: 3 };

/** A process as Blender's would be, and an armed thread that knows its marker. */
async function armed(server: RawServer, change: Partial<HeartbeatOrders> & { expiresInMs?: number } = {}) {
  const marker = `test-${process.pid}-${systemClock.uuid()}`;
  const victim = spawn("/bin/sleep", ["1000"], { env: { [MARKER_VARIABLE]: marker }, stdio: "ignore" });
  onTestFinished(() => void victim.kill("SIGKILL"));
  const thread = startHeartbeatThread({
    origin: server.url,
    base: "",
    token: "secret",
    gatewayId: GATEWAY_ID,
    clock: systemClock,
  });
  onTestFinished(() => thread.stop());
  await thread.ready;
  const now = systemClock.monotonicMs();
  thread.shared.extendTo(now + (change.expiresInMs ?? 60_000));
  const orders = {
    lease: LEASE,
    leaseSeconds: 2,
    deadlineMs: now + 60_000,
    silenceMs: 60_000,
    marker,
    ...change,
  };
  thread.tell({ kind: "arm", orders });
  return { thread, victim };
}

const end = async (victim: ChildProcess): Promise<string | null> => {
  if (victim.signalCode === null) await once(victim, "exit");
  return victim.signalCode;
};

test("a lease that is refused: the thread kills by itself, whatever the main thread does", async () => {
  const { thread, victim } = await armed(await rawServer(problem(409, "stale_or_invalid_lease")));
  expect(await end(victim)).toBe("SIGKILL");
  expect(thread.shared.ended()).toBe(ENDED.lost);
});

test("a lease that runs out unanswered: the thread kills by itself", async () => {
  const { thread, victim } = await armed(await rawServer(cut), { expiresInMs: 1_000 });
  expect(await end(victim)).toBe("SIGKILL");
  expect(thread.shared.ended()).toBe(ENDED.lost);
});

test("a deadline that is over: the thread kills by itself", async () => {
  const deadlineMs = systemClock.monotonicMs();
  const { thread, victim } = await armed(await rawServer(cut), { deadlineMs });
  expect(await end(victim)).toBe("SIGKILL");
  expect(thread.shared.ended()).toBe(ENDED.deadline);
});

test("a main thread that shows no life: the thread kills and sends no more heartbeats", async () => {
  const { thread, victim } = await armed(await rawServer(cut), { silenceMs: 300 });
  expect(await end(victim)).toBe("SIGKILL");
  expect(thread.shared.ended()).toBe(ENDED.silent);
});

test("an acknowledged heartbeat moves the own expiry on, and carries fence and progress", async () => {
  const server = await rawServer(json(200, { lease_expires_at: "2027-01-15T08:00:00Z", lease_seconds: 60 }));
  const { thread } = await armed(server, { expiresInMs: 3_000 });
  const progress = {
    phase: "render",
    frame: 205,
    frames_done: 0,
    sample: 1,
    samples: 4,
    watchdog_left_s: 9,
  } as const;
  thread.tell({ kind: "progress", progress });
  while (server.seen.length === 0) await systemClock.sleep(20);
  while (thread.shared.expiresAtMs() < systemClock.monotonicMs() + 30_000) await systemClock.sleep(20);
  expect(JSON.parse(String(server.seen[0]?.body))).toEqual({ ...LEASE, progress });
  expect(thread.shared.ended()).toBe(ENDED.no);
});

test("an answer of another gateway is no acknowledgement", async () => {
  const { thread, victim } = await armed(
    await rawServer((_, response) => {
      response.setHeader("render-handoff-gateway", "g_00000000-0000-4000-8000-000000000009");
      response.end('{"lease_expires_at":"2027-01-15T08:00:00Z","lease_seconds":60}');
    }),
    { expiresInMs: 1_500 },
  );
  expect(await end(victim)).toBe("SIGKILL");
  expect(thread.shared.ended()).toBe(ENDED.lost);
});
