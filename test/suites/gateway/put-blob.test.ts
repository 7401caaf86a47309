import { createHash, randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { startGateway } from "../../support/gateway.ts";
import { BUNDLE, SCENE } from "../../support/gateway-job.ts";

import { DATA, files, half, holding, path, put, stalled, upload } from "./blob-calls.ts";

describe("putting", () => {
  test("a blob is new once and there after that, and nothing else is left in the folder", async () => {
    const gateway = await startGateway();
    expect((await put(gateway, DATA)).status).toBe(201);
    expect((await put(gateway, DATA)).status).toBe(200);
    expect(files(gateway)).toHaveLength(1);
  });

  test("a blob of no bytes is a blob", async () => {
    const gateway = await startGateway();
    const nothing = Buffer.alloc(0);
    expect((await put(gateway, nothing)).status).toBe(201);
    expect(await gateway.call(path(nothing))).toMatchObject({ status: 200, bytes: nothing });
  });

  test("two writers of one digest at the same time both succeed and leave one file", async () => {
    const gateway = await startGateway();
    const large = Buffer.alloc(3_000_000, 7);
    const both = await Promise.all([put(gateway, large), put(gateway, large)]);
    expect(both.map((one) => one.status).sort()).toEqual([200, 201]);
    expect(files(gateway)).toHaveLength(1);
  });

  test("bytes of another digest are refused and leave nothing", async () => {
    const gateway = await startGateway();
    const answer = await gateway.call(path(DATA), { method: "PUT", body: Buffer.from("0123456780") });
    expect(answer.code).toBe("blob_digest_mismatch");
    expect(files(gateway)).toEqual([]);
  });

  test("wrong bytes are refused for a blob that is there already", async () => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    const answer = await gateway.call(path(DATA), { method: "PUT", body: Buffer.from("0123456780") });
    expect(answer.code).toBe("blob_digest_mismatch");
    expect((await gateway.call(path(DATA))).bytes).toEqual(DATA);
  });

  test("a Content-Digest that differs from the path is refused, the right one is not", async () => {
    const gateway = await startGateway();
    const digest = (bytes: Buffer) => `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;
    const wrong = await put(gateway, DATA, { "content-digest": digest(SCENE) });
    expect(wrong.code).toBe("blob_digest_mismatch");
    expect((await put(gateway, DATA, { "content-digest": digest(DATA) })).status).toBe(201);
  });

  test("a body without a stated length is refused", async () => {
    const gateway = await startGateway();
    const answer = await gateway.call(path(DATA), {
      method: "PUT",
      headers: { "transfer-encoding": "chunked" },
    });
    expect(answer.code).toBe("length_required");
  });

  test("a body that ends before its length leaves nothing and is answered", async () => {
    const gateway = await startGateway();
    const answer = await half(gateway);
    expect(answer).toContain("urn:render-handoff:error:blob_length_mismatch");
    expect(answer.toLowerCase()).toContain(`render-handoff-gateway: ${gateway.gatewayId}`);
    await expect.poll(() => files(gateway)).toEqual([]);
  });

  test("an upload that is cut off leaves nothing", async () => {
    const gateway = await startGateway();
    await half(gateway, true);
    await expect.poll(() => files(gateway)).toEqual([]);
    expect((await gateway.call(path(DATA))).code).toBe("blob_unknown");
  });

  test("a blob over the administrator's cap is refused", async () => {
    const gateway = await startGateway({ blobBytes: 9 });
    expect((await put(gateway, DATA)).code).toBe("blob_too_large");
  });

  test("a disk that fails in the middle of a body is answered too", async () => {
    const gateway = await startGateway();
    const large = Buffer.alloc(8_000_000, 1);
    const sent = put(gateway, large);
    await expect.poll(() => files(gateway).length, { interval: 1 }).toBe(1);
    rmSync(join(gateway.dataFolder, "blobs"), { recursive: true });
    writeFileSync(join(gateway.dataFolder, "blobs"), "no folder");
    expect(await sent).toMatchObject({ status: 503, code: "unavailable" });
  });

  test("a disk that fails is unavailable with Retry-After, and nothing is recorded", async () => {
    const gateway = await startGateway();
    rmSync(join(gateway.dataFolder, "blobs", "staging"), { recursive: true });
    const answer = await put(gateway, DATA);
    expect(answer).toMatchObject({ status: 503, code: "unavailable" });
    expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
    expect((await gateway.call(path(DATA))).code).toBe("blob_unknown");
  });
});

describe("a worker's upload", () => {
  test("is accepted under the lease and can be repeated", async () => {
    const { gateway, worker } = await holding();
    expect((await upload(gateway, worker)).status).toBe(201);
    expect((await upload(gateway, worker)).status).toBe(200);
  });

  test.each([
    ["an older fence", { fence: "2" }, "stale_or_invalid_lease"],
    ["a task of nobody", { task: "shot-1.b" }, "stale_or_invalid_lease"],
    ["an unknown task", { task: "shot-2.a" }, "task_unknown"],
    ["a fence that is no number", { fence: "1.0" }, "invalid_request_shape"],
    ["an empty fence", { fence: "" }, "invalid_request_shape"],
  ])("under %s is refused and leaves nothing", async (_name, change, code) => {
    const { gateway, worker } = await holding();
    expect((await upload(gateway, worker, change)).code).toBe(code);
    expect(files(gateway)).toHaveLength(1); // the scene
  });

  test("without its lease headers is refused: an absent fence is an error", async () => {
    const { gateway, worker } = await holding();
    const answer = await gateway.call(path(BUNDLE), { method: "PUT", token: worker.token, body: BUNDLE });
    expect(answer.code).toBe("invalid_request_shape");
  });

  test("that is refused early is answered, and the rest of its body is cut after a while", async () => {
    const gateway = await startGateway({ timeouts: { lingerMs: 50 } });
    const { token } = await gateway.registerWorker();
    const answer = await stalled(gateway, token);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain("urn:render-handoff:error:task_unknown");
  });

  test("counts with the others of its lease against bundle_bytes", async () => {
    const { gateway, worker } = await holding({ limits: { ...STANDARD_LIMITS, bundle_bytes: 15_000 } });
    const most = randomBytes(10_000);
    expect((await upload(gateway, worker, { bytes: most })).status).toBe(201);
    expect((await upload(gateway, worker, { bytes: most })).status).toBe(200);
    const more = randomBytes(5_001);
    expect(await upload(gateway, worker, { bytes: more })).toMatchObject({
      status: 413,
      code: "blob_too_large",
    });
    expect((await upload(gateway, worker, { bytes: more.subarray(1) })).status).toBe(201);
  });

  test("of the administrator carries no lease", async () => {
    const gateway = await startGateway();
    expect((await put(gateway, DATA, { "task-id": "x", "fencing-token": "1" })).code).toBe(
      "invalid_request_shape",
    );
  });
});
