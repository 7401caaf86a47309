import { describe, expect, test } from "vitest";
import { ObjectEnvelope, STABLE_FIELDS } from "../../../contracts/documents/object.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { startGateway } from "../../support/gateway.ts";
import { putSampleJob, winSlot } from "../../support/gateway-job.ts";

import { leased, outside, post } from "./route-calls.ts";

describe("receipts, bodies and objects", () => {
  test("a replay after reopening is marked as replayed and superseded", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const worker = await gateway.registerWorker();
    const won = await winSlot(gateway, worker, { job, slot: "a" });
    const replay = () =>
      post(gateway, "/q/submit", {
        token: worker.token,
        body: won.body,
        headers: { "idempotency-key": "key-1" },
      });
    const before = await replay();
    expect([before.headers["idempotent-replayed"], before.headers["superseded"]]).toEqual([
      "true",
      undefined,
    ]);
    const body = { task_id: "shot-1.a", reason: "JOIN_FRAMES" };
    const reopened = await post(gateway, "/q/reopen", { token: gateway.adminToken, body });
    expect(reopened.json()).toEqual({ task_id: "shot-1.a", state: "ready", version: 2 });
    const after = await replay();
    expect([after.headers["idempotent-replayed"], after.headers["superseded"]]).toEqual(["true", "true"]);
    expect(after.bytes.equals(won.receipt)).toBe(true);
    expect((await gateway.call("/q/receipt/shot-1.a")).code).toBe("receipt_unknown");
    expect((await gateway.call("/q/receipt/shot-1.a?version=1")).bytes.equals(won.receipt)).toBe(true);
    expect((await gateway.call("/q/request/shot-1.a?version=1")).bytes.equals(won.body)).toBe(true);
  });

  test("an object's envelope has every stable field, the digest of its payload and its receipt", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const worker = await gateway.registerWorker("attic");
    const won = await winSlot(gateway, worker, { job, slot: "a" });
    const { token } = await gateway.registerChecker();
    const envelope = (await gateway.call("/q/object/shot-1.a", { token })).json();
    expect(Object.keys(envelope)).toEqual(expect.arrayContaining([...STABLE_FIELDS]));
    const read = ObjectEnvelope.parse(envelope);
    expect(read.sha256_hash).toBe(sha256(canonicalBytes(read.payload)));
    expect(read.receipt_sha256).toBe(sha256(won.receipt));
    expect(read).toMatchObject({ producer_agent: "attic", gateway_id: gateway.gatewayId });
    const bySha = await gateway.call(`/q/object/shot-1.a?version=1&sha256=${read.sha256_hash}`, { token });
    expect(bySha.json()).toEqual(envelope);
    expect((await gateway.call("/q/object/shot-1.a?version=2", { token })).code).toBe(
      "object_version_unknown",
    );
    expect((await gateway.call("/q/object/shot-1.b", { token })).code).toBe("object_unknown");
  });

  test("a worker reads what is its own, a checker everything", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const [winner, other] = [await gateway.registerWorker(), await gateway.registerWorker()];
    const checker = await gateway.registerChecker();
    await winSlot(gateway, winner, { job, slot: "a" });
    for (const kind of ["task", "receipt", "request", "object"]) {
      const read = async ({ token }: { token: string }) =>
        (await gateway.call(`/q/${kind}/shot-1.a`, { token })).code;
      expect([kind, await read(winner), await read(other), await read(checker)]).toEqual([
        kind,
        "",
        "role_forbidden",
        "",
      ]);
    }
    expect((await gateway.call("/q/task/none")).code).toBe("task_unknown");
  });

  test("a payload that was changed in the store is told as corrupt", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    await winSlot(gateway, await gateway.registerWorker(), { job, slot: "a" });
    outside(gateway, "UPDATE objects SET payload = replace(payload, '205', '204')");
    const envelope = (await gateway.call("/q/object/shot-1.a")).json();
    expect(envelope).toMatchObject({ payload_sha256_verified: false, integrity_status: "corrupt" });
  });
});

describe("people", () => {
  test("a revoked worker's calls fail at once and its lease is free", async () => {
    const { gateway, worker, held } = await leased();
    const revoke = () => gateway.call(`/q/worker/${worker.workerUuid}/revoke`, { method: "POST" });
    const first = await revoke();
    expect(first.json()).toMatchObject({ name: "one", operator: "ann", worker_uuid: worker.workerUuid });
    expect(first.json()["revoked_at"]).not.toBeNull();
    const body = { ...held, progress: null };
    const beat = await post(gateway, "/q/heartbeat", { token: worker.token, body });
    expect(beat).toMatchObject({ status: 403, code: "worker_revoked" });
    expect((await gateway.call("/q/task/task")).json()).toMatchObject({ state: "ready", fencing_token: 1 });
    expect((await revoke()).json()).toEqual(first.json());
  });

  test("a revoked checker's calls fail, and an id of nobody is unknown", async () => {
    const gateway = await startGateway();
    const { checkerUuid, token } = await gateway.registerChecker("join");
    expect((await gateway.call(`/q/checker/${checkerUuid}/revoke`, { method: "POST" })).status).toBe(200);
    expect((await gateway.call("/q/worker", { token })).code).toBe("worker_revoked");
    const nobody = "00000000-0000-4000-8000-000000000000";
    for (const path of [`/q/worker/w_${nobody}/revoke`, `/q/checker/c_${nobody}/revoke`])
      expect((await gateway.call(path, { method: "POST" })).code).toBe("worker_unknown");
    expect((await gateway.call("/q/checker")).json()).toMatchObject({ checkers: [{ name: "join" }] });
  });

  test("workers are read one by one, and all of them page by page", async () => {
    const gateway = await startGateway();
    const { token } = await gateway.registerChecker();
    const ids: string[] = [];
    for (const name of ["one", "two", "three"]) ids.push((await gateway.registerWorker(name)).workerUuid);
    const one = await gateway.call(`/q/worker/${ids[1]}`, { token });
    expect(one.json()).toMatchObject({ worker_uuid: ids[1], name: "two", revoked_at: null });
    const nobody = await gateway.call("/q/worker/w_00000000-0000-4000-8000-000000000000", { token });
    expect(nobody).toMatchObject({ status: 404, code: "worker_unknown" });
    const list = async (query: string) => (await gateway.call(`/q/worker${query}`, { token })).json();
    const { workers, cursor } = await list("?limit=2");
    expect(await list("")).toEqual({
      workers: [...Object(workers), ...Object((await list(`?cursor=${cursor}`))["workers"])],
      cursor: null,
    });
    expect((await gateway.call("/q/worker?cursor=nobody")).code).toBe("invalid_request_shape");
  });

  test("tokens are in no answer but their own and in no file of the store", async () => {
    const gateway = await startGateway();
    const { token } = await gateway.registerWorker();
    expect((await gateway.call("/q/worker")).bytes.toString()).not.toContain(token);
    const rows = outside(gateway, "SELECT token_sha256 FROM workers");
    expect(rows).toEqual([{ token_sha256: sha256(token) }]);
  });
});
