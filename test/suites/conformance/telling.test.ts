import { expect, test } from "vitest";
import { ConformanceReport } from "../../../contracts/documents/conformance.ts";
import { type Alter, behindProxy, type Fate, type Passing } from "../../support/fault-proxy.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { play } from "./play.ts";

// What a report says is enough to mend the gateway, and who may still be let in is in it.

async function reported(
  rules: readonly string[],
  decide: (passing: Passing) => Fate,
): Promise<{ gateway: TestGateway; report: ConformanceReport; details: string[] }> {
  const { gateway, proxy } = await behindProxy(decide);
  const report = await play({ url: proxy.url, adminToken: gateway.adminToken }, rules);
  expect(ConformanceReport.safeParse(report).success).toBe(true);
  return { gateway, report, details: report.rules.map(({ detail }) => detail ?? "") };
}

const problem =
  (status: number, code: string, detail: string): Alter =>
  (answer) => ({
    ...answer,
    status,
    body: Buffer.from(
      JSON.stringify({ type: `urn:render-handoff:error:${code}`, title: code, status, detail }),
    ),
  });

test("a wrong code is told with the problem's own detail and the task's id in the gateway", async () => {
  const { gateway, details } = await reported(["REOPEN-01"], ({ path }) =>
    path === "/q/reopen" ? problem(503, "unavailable", "The disk is full.") : "pass",
  );
  const [, id] = /step 4 \(reopen (c[0-9a-f]{8}-\d+-\d+-t)\)/.exec(details[0] ?? "") ?? [];
  expect((await gateway.call(`/q/task/${id}`)).status).toBe(200);
  expect(details[0]).toContain("code is unavailable, expected ok (it says: The disk is full.)");
});

test("a scene that the gateway does not take is told as that, and no rule of jobs passes", async () => {
  const { details } = await reported(["ENQUEUE-03", "CLAIM-06"], ({ method }) =>
    method === "PUT" ? { status: 500, body: "no disk" } : "pass",
  );
  for (const detail of details)
    expect(detail).toContain("the upload of its scene: code is HTTP 500, expected ok");
});

test("a registration with a member too many is told by route and member, and its worker is revoked", async () => {
  const extra: Alter = (answer) => ({
    ...answer,
    body: Buffer.from(JSON.stringify({ ...JSON.parse(String(answer.body)), nickname: "x" })),
  });
  const { gateway, report, details } = await reported(["CLAIM-03"], ({ method, path }) =>
    method === "POST" && path === "/q/worker" ? extra : "pass",
  );
  expect(details[0]).toMatch(/POST \/q\/worker answered 201: .*nickname/);
  expect(report).toMatchObject({ not_revoked: [], not_read: [] });
  const { workers } = Object((await gateway.call("/q/worker")).json());
  expect(workers.length).toBeGreaterThan(0);
  for (const worker of workers) expect(worker.revoked_at).not.toBe(null);
});

test("workers whose registration could not be read stand in the report by name", async () => {
  const { gateway, report } = await reported(["CLAIM-03"], ({ method, path }) =>
    method === "POST" && path === "/q/worker"
      ? (answer) => ({ ...answer, body: Buffer.from("gone") })
      : "pass",
  );
  const { workers } = Object((await gateway.call("/q/worker")).json());
  const names = workers.map((worker: { name: string }) => worker.name);
  expect(names.length).toBeGreaterThan(0);
  expect(report.not_read.toSorted()).toEqual(names.toSorted());
});
