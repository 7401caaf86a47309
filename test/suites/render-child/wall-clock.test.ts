import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { secondsOf, systemClock } from "../../../src/core/clock.ts";
import { childOptions, fixtureBlender, putJob } from "../../support/child.ts";
import { startChildProcess } from "../../support/child-process.ts";
import { fakedTime } from "../../support/faked-time.ts";
import { behindProxy, refused } from "../../support/fault-proxy.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { toldBlender } from "../../support/told-blender.ts";

const HOUR = 3_600;
const TIMEOUT = 600_000;
const JUMPS = [
  ["forward", HOUR],
  ["back", -HOUR],
] as const;
/** Seconds between what a busy machine makes of one moment. */
const SLACK = 300;

/** How far the wall clock went in what a state folder has recorded, in seconds. */
function recordedSpan(stateFolder: string): number {
  const database = new DatabaseSync(join(stateFolder, "state.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT at FROM transitions ORDER BY id").all();
  database.close();
  const at = rows.map((row) => Number(row["at"]));
  return (at.at(-1) ?? 0) - (at[0] ?? 0);
}

/** A run whose Blender has begun and waits, so that clocks can be changed under both. */
async function rendering(
  gateway: TestGateway,
  change: { leaseSeconds?: number; url?: string; env?: Record<string, string> } = {},
) {
  await putJob(gateway, "stops-midway", { limits: { lease_seconds: change.leaseSeconds ?? 60 } });
  const told = await toldBlender(join(await temporaryFolder(), "blender"), "during_render");
  onTestFinished(() => told.close());
  const worker = await gateway.registerWorker("holder");
  const options = await childOptions({ url: change.url ?? gateway.url }, worker, { blender: told.path });
  const run = startChildProcess(options, { env: change.env ?? {} });
  onTestFinished(() => run.kill("SIGKILL"));
  await run.reaches(told.stopped);
  return { run, options, goOn: told.goOn };
}

const claim = async (gateway: TestGateway, taskId: string) => {
  const { workerUuid, token } = await gateway.registerWorker("other");
  const body = { task_id: taskId, worker_id: workerUuid };
  return gateway.call("/q/claim", { method: "POST", token, body });
};

const expiryOf = async (gateway: TestGateway): Promise<number> =>
  secondsOf(String((await gateway.call("/q/task/shot.a")).json()["lease_expires_at"])) ?? 0;

test.each(JUMPS)(
  "the wall clock jumps an hour %s: the lease is kept and the run completes",
  { timeout: TIMEOUT },
  async (_, jump) => {
    const gateway = await startGateway();
    const time = await fakedTime();
    const { run, options, goOn } = await rendering(gateway, { leaseSeconds: 10, env: time.env });
    await time.jumpTo(jump);
    for (const before = await expiryOf(gateway); (await expiryOf(gateway)) === before; )
      await systemClock.sleep(100);
    await goOn();
    const { result } = await run.ended;
    expect(result).toMatchObject({ outcome: "completed", fencing_token: 1 });
    expect(Math.abs(recordedSpan(options.stateFolder) - jump)).toBeLessThan(SLACK);
  },
);

test.each(JUMPS)(
  "the wall clock jumps an hour %s: the watchdog counts the same seconds",
  { timeout: TIMEOUT },
  async (_, jump) => {
    const gateway = await startGateway();
    await putJob(gateway, "sleeps-for-ever", { limits: { watchdog_seconds: 8 } });
    const options = await childOptions(gateway, await gateway.registerWorker(), {
      blender: fixtureBlender("sleeps-for-ever"),
    });
    const time = await fakedTime();
    const run = startChildProcess(options, { env: time.env });
    await run.reaches(run.line("render"));
    await time.jumpTo(jump);
    const { result } = await run.ended;
    expect(result).toMatchObject({ outcome: "failed", reason: "RENDER_WATCHDOG" });
  },
);

test.each(JUMPS)(
  "the wall clock jumps an hour %s: a Retry-After counts from there",
  { timeout: TIMEOUT },
  async (_, jump) => {
    const { gateway, proxy } = await behindProxy(({ method, path }, real) =>
      method === "PUT" && path.startsWith("/q/blob/")
        ? refused(real, { status: 503, code: "unavailable", retryAfter: "120" })
        : "pass",
    );
    const time = await fakedTime();
    const { run, goOn } = await rendering(gateway, { url: proxy.url, env: time.env });
    await time.jumpTo(jump);
    await goOn();
    const { result } = await run.ended;
    expect(result).toMatchObject({ outcome: "deferred", reason: "GATEWAY_UNAVAILABLE" });
    const due = secondsOf(result?.next_due_utc ?? "") ?? 0;
    expect(Math.abs(due - systemClock.wallSeconds() - jump - 120)).toBeLessThan(SLACK);
  },
);

test("a gateway whose clock goes an hour back gives nobody's lease away and takes the hand-in under way", {
  timeout: TIMEOUT,
}, async () => {
  const time = await fakedTime();
  const gateway = await startGatewayProcess({ under: time.under });
  const { run, goOn } = await rendering(gateway);
  const leased = await expiryOf(gateway);
  await time.jumpTo(-HOUR);
  const refusal = await claim(gateway, "shot.a");
  expect(refusal.code).toBe("already_leased");
  expect(Number(refusal.headers["retry-after"])).toBeLessThanOrEqual(60);
  await goOn();
  expect((await run.ended).result).toMatchObject({ outcome: "completed", fencing_token: 1 });
  // its clock stands still at the last committed second: a new lease does not begin in the past
  const next = (await claim(gateway, "shot.b")).json()["lease_expires_at"];
  expect(secondsOf(String(next)) ?? 0).toBeGreaterThanOrEqual(leased);
});

test("a gateway whose clock goes an hour forward takes the slot from its holder, who says LEASE_LOST", {
  timeout: TIMEOUT,
}, async () => {
  const time = await fakedTime();
  const gateway = await startGatewayProcess({ under: time.under });
  const { run, goOn } = await rendering(gateway);
  await time.jumpTo(HOUR);
  expect((await claim(gateway, "shot.a")).json()).toMatchObject({ fencing_token: 2 });
  await goOn();
  const { result, exit } = await run.ended;
  expect([result?.reason, exit]).toEqual(["LEASE_LOST", 3]);
});
