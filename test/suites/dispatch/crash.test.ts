import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { openQueue } from "../../../src/dispatch/queue.ts";
import { type DispatchOptions, runDue } from "../../../src/dispatch/run-due.ts";
import { putJob } from "../../support/child.ts";
import { again, dispatchOptions } from "../../support/dispatch.ts";
import { startGateway } from "../../support/gateway.ts";
import { problem, rawServer } from "../../support/raw-server.ts";

const main = join(import.meta.dirname, "../../support/dispatch-main.ts");

function start(options: DispatchOptions, killAt: string) {
  const child = spawn(process.execPath, [main, JSON.stringify({ ...options, killAt })], { stdio: "ignore" });
  return { child, ended: once(child, "exit") };
}

function historyOf(options: DispatchOptions): string[] {
  const queue = openQueue(options.stateFolder, systemClock);
  const events = queue.history("entry");
  queue.close();
  return events;
}

test("killed between a pause and the dispatcher's own commit: the host's pause is kept, no request is made", async () => {
  const server = await rawServer(problem(503, "unavailable", { "retry-after": "120" }));
  const options = await dispatchOptions(server.url);
  expect(await start(options, "wellKnown 503").ended).toEqual([null, "SIGKILL"]);
  expect(existsSync(join(options.outputFolder, "result.json"))).toBe(false);
  expect(historyOf(options)).toEqual(["enqueued", "started"]);
  expect(await runDue(await again(options))).toMatchObject({ outcome: "no_due_job", exchanges: 0 });
  expect(server.seen).toHaveLength(1);
});

test("killed while the answer comes in: its advice is lost, and the next run asks once more", async () => {
  let told = (): void => {};
  const headersSent = new Promise<void>((resolve) => {
    told = resolve;
  });
  const server = await rawServer(
    (_, response) => {
      response.writeHead(503, { "retry-after": "120", "content-length": "100" });
      response.write("{");
      told();
    },
    problem(503, "unavailable", { "retry-after": "120" }),
  );
  const options = await dispatchOptions(server.url);
  const { child, ended } = start(options, "never");
  await headersSent;
  child.kill("SIGKILL");
  await ended;
  expect(await runDue(await again(options))).toMatchObject({ outcome: "deferred" });
  expect(server.seen).toHaveLength(2);
});

test("killed between the receipt and its commit: the same bytes get the same receipt, once accepted", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const options = await dispatchOptions(gateway.url, await gateway.registerWorker());
  expect(await start(options, "submit 200").ended).toEqual([null, "SIGKILL"]);
  const receipt = (await gateway.call("/q/receipt/shot.a")).bytes;
  const next = await runDue(await again(options));
  expect(next).toMatchObject({ outcome: "completed", next_due_utc: null, child: { fencing_token: 1 } });
  expect((await gateway.call("/q/receipt/shot.a")).bytes.equals(receipt)).toBe(true);
  expect((await gateway.call("/q/task/shot.a")).json()).toMatchObject({ state: "done", claims: 1 });
  expect(historyOf(options)).toEqual(["enqueued", "started", "started", "completed"]);
});
