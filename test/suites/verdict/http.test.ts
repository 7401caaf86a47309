import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { startGateway } from "../../support/gateway.ts";
import { putSampleJob, winSlot } from "../../support/gateway-job.ts";

/** A job of which both slots are done, its checker, and a verdict on it. */
async function judged() {
  const gateway = await startGateway();
  const job = await putSampleJob(gateway);
  const workers = [await gateway.registerWorker("one"), await gateway.registerWorker("two")] as const;
  await winSlot(gateway, workers[0], { job, slot: "a" });
  await winSlot(gateway, workers[1], { job, slot: "b" });
  const { token } = await gateway.registerChecker();
  const pin = async (slot: string) => {
    const object = (await gateway.call(`/q/object/shot-1.${slot}`)).json();
    return { version_num: object["version_num"], sha256_hash: object["sha256_hash"] };
  };
  const verdict = {
    schema: "render_handoff.verdict.v1",
    gateway_id: gateway.gatewayId,
    job_id: "shot-1",
    job_sha256: sha256(canonicalBytes(job)),
    verdict: "rejected",
    report_sha256: sha256("report"),
    finding_codes: ["PNG_TRUNCATED"],
    built_on: { a: await pin("a"), b: await pin("b") },
    tool_version: "0.1.0",
  };
  const post = (body: unknown, as: string = token) =>
    gateway.call("/q/verdict", { method: "POST", token: as, body });
  return { gateway, workers, checker: token, verdict, post };
}

test("a checker's verdict is 201, the same again 200 with the same bytes, and says when a slot was reopened", async () => {
  const { gateway, verdict, post } = await judged();
  const first = await post(verdict);
  expect([first.status, first.headers["idempotent-replayed"], first.headers["superseded"]]).toEqual([
    201,
    undefined,
    undefined,
  ]);
  const reopen = { task_id: "shot-1.b", reason: "PNG_TRUNCATED", version: 1 };
  const reopened = await gateway.call("/q/reopen", { method: "POST", body: reopen });
  expect(reopened.json()).toMatchObject({ state: "ready", version: 2 });
  expect((await gateway.call("/q/reopen", { method: "POST", body: reopen })).code).toBe("version_superseded");
  const again = await post(verdict);
  expect([again.status, again.headers["idempotent-replayed"], again.headers["superseded"]]).toEqual([
    200,
    "true",
    "true",
  ]);
  expect(again.bytes.equals(first.bytes)).toBe(true);
});

test("neither a worker nor an administrator posts verdicts, and a worker reads neither verdict nor graph", async () => {
  const { gateway, workers, verdict, post, checker } = await judged();
  for (const token of [workers[0].token, gateway.adminToken])
    expect((await post(verdict, token)).code).toBe("role_forbidden");
  await post(verdict);
  const graph = "/q/graph?root=shot-1.join";
  for (const path of ["/q/object/shot-1.join", graph])
    expect((await gateway.call(path, { token: workers[0].token })).code).toBe("role_forbidden");
  for (const token of [checker, gateway.adminToken])
    expect((await gateway.call(graph, { token })).json()).toMatchObject({
      root: { object_key: "shot-1.join", version_num: null },
      truncated: false,
    });
});

test("a verdict that breaks its schema is refused as such, and so is a graph without a root", async () => {
  const { gateway, verdict, post } = await judged();
  const broken = [
    { ...verdict, verdict: "undecided" },
    { ...verdict, finding_codes: ["<script>"] },
    { ...verdict, built_on: { a: verdict.built_on.a } },
    { ...verdict, more: 1 },
  ];
  for (const body of broken) expect((await post(body)).code).toBe("invalid_request_shape");
  for (const path of ["/q/graph", "/q/graph?root=", "/q/graph?root=shot-1.a&version=0"])
    expect((await gateway.call(path)).code).toBe("invalid_request_shape");
  expect((await gateway.call("/q/graph?root=shot-1.a&version=2")).code).toBe("object_version_unknown");
  expect((await gateway.call("/q/graph?root=nothing")).code).toBe("object_unknown");
});

test("versions of a verdict are read by number and by digest", async () => {
  const { gateway, verdict, post } = await judged();
  const first = (await post(verdict)).json();
  await post({ ...verdict, report_sha256: sha256("another report") });
  const read = async (query: string) =>
    (await gateway.call(`/q/object/shot-1.join${query}`)).json()["version_num"];
  expect([await read(""), await read("?version=1"), await read(`?sha256=${first["sha256_hash"]}`)]).toEqual([
    2, 1, 1,
  ]);
  expect((await gateway.call("/q/object/shot-1.join?version=3")).code).toBe("object_version_unknown");
});
