import { expect, test } from "vitest";
import type { TaskList } from "../../../contracts/wire/people.ts";
import { behindProxy, refused } from "../../support/fault-proxy.ts";
import type { GatewayProcess } from "../../support/gateway-process.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { play } from "./play.ts";

// What a run leaves on somebody's own gateway: nothing that a worker could take.

async function openTasks(gateway: Pick<GatewayProcess, "call">): Promise<string[]> {
  const { tasks }: TaskList = Object((await gateway.call("/q/tasks?state=open&limit=1000")).json());
  return tasks.map((task) => task.task_id);
}

test("every task of a run on a gateway of others is done when it ends, and nobody of it is left", async () => {
  const gateway = await startGatewayProcess();
  const report = await play(gateway, ["claim", "reopen", "enqueue", "revocation"]);
  expect(report.rules.filter(({ verdict }) => verdict === "failed")).toEqual([]);
  expect(report).toMatchObject({ not_closed: [], not_revoked: [] });
  expect(await openTasks(gateway)).toEqual([]);
  const done = Object((await gateway.call("/q/tasks?state=done&limit=1000")).json()).tasks;
  expect(done.length).toBeGreaterThan(20);
}, 60_000);

test("what a gateway does not let the run hand in stands in the report", async () => {
  const { gateway, proxy } = await behindProxy(({ path }, at) =>
    path === "/q/reopen" ? refused(at, { status: 503, code: "unavailable" }) : "pass",
  );
  const report = await play({ url: proxy.url, adminToken: gateway.adminToken }, ["claim"]);
  const open = await openTasks(gateway);
  expect(open.length).toBeGreaterThan(0);
  expect(report.not_closed.toSorted()).toEqual(open.toSorted());
}, 60_000);
