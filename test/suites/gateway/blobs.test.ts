import { createHash } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { BUNDLE, putSampleJob, SCENE, sampleJob } from "../../support/gateway-job.ts";

const DATA = Buffer.from("0123456789");
const path = (bytes: Buffer): string => `/q/blob/${sha256(bytes)}`;
const put = (gateway: TestGateway, bytes: Buffer, headers: Record<string, string> = {}) =>
  gateway.call(path(bytes), { method: "PUT", body: bytes, headers });

/** Files under the blobs folder, staged ones too. */
const files = (gateway: TestGateway): string[] =>
  readdirSync(join(gateway.dataFolder, "blobs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function holding(change = {}): Promise<{ gateway: TestGateway; worker: TestWorker }> {
  const gateway = await startGateway();
  await putSampleJob(gateway, sampleJob(change));
  const worker = await gateway.registerWorker();
  await gateway.call("/q/claim", {
    method: "POST",
    token: worker.token,
    body: { task_id: "shot-1.a", worker_id: worker.workerUuid },
  });
  return { gateway, worker };
}
const upload = (
  gateway: TestGateway,
  worker: TestWorker,
  { bytes = BUNDLE, fence = "1", task = "shot-1.a" } = {},
) =>
  gateway.call(path(bytes), {
    method: "PUT",
    token: worker.token,
    body: bytes,
    headers: { "task-id": task, "fencing-token": fence },
  });

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
    const { gateway, worker } = await holding({ limits: { ...STANDARD_LIMITS, bundle_bytes: 15 } });
    expect((await upload(gateway, worker, { bytes: DATA })).status).toBe(201);
    expect((await upload(gateway, worker, { bytes: DATA })).status).toBe(200);
    const more = Buffer.from("abcdef");
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

describe("getting", () => {
  test("a worker reads the scene of the job whose task it holds, and only that", async () => {
    const { gateway, worker } = await holding();
    await put(gateway, DATA);
    await upload(gateway, worker);
    const read = async (bytes: Buffer) => (await gateway.call(path(bytes), { token: worker.token })).code;
    expect([await read(SCENE), await read(DATA), await read(BUNDLE)]).toEqual([
      "",
      "blob_unknown",
      "blob_unknown",
    ]);
    const other = await gateway.registerWorker();
    expect((await gateway.call(path(SCENE), { token: other.token })).code).toBe("blob_unknown");
    await gateway.call("/q/release", {
      method: "POST",
      token: worker.token,
      body: { task_id: "shot-1.a", worker_id: worker.workerUuid, fencing_token: 1, reason: "INTERRUPTED" },
    });
    expect(await read(SCENE)).toBe("blob_unknown");
  });

  test("a checker reads every blob", async () => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    const checker = await gateway.registerChecker();
    const answer = await gateway.call(path(DATA), { token: checker.token });
    expect(answer.bytes).toEqual(DATA);
    expect(answer.headers).toMatchObject({
      "content-length": "10",
      etag: `"${sha256(DATA)}"`,
      "content-digest": `sha-256=:${createHash("sha256").update(DATA).digest("base64")}:`,
    });
  });

  test.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=7-100", "789", "bytes 7-9/10"],
    ["bytes=-2", "89", "bytes 8-9/10"],
    ["bytes=-100", "0123456789", "bytes 0-9/10"],
    ["bytes=0-0", "0", "bytes 0-0/10"],
  ])("range %s is a part", async (range, bytes, content) => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    const answer = await gateway.call(path(DATA), { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.bytes.toString()).toBe(bytes);
    expect(answer.headers["content-range"]).toBe(content);
  });

  test.each(["bytes=0-1,3-4", "bytes=4-2", "items=0-1", "bytes=-", "bytes=a-b"])(
    "range %s is answered with everything",
    async (range) => {
      const gateway = await startGateway();
      await put(gateway, DATA);
      const answer = await gateway.call(path(DATA), { headers: { range } });
      expect([answer.status, answer.bytes]).toEqual([200, DATA]);
    },
  );

  test.each(["bytes=10-", "bytes=-0", "bytes=99-100"])("range %s lies outside", async (range) => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    const answer = await gateway.call(path(DATA), { headers: { range } });
    expect(answer).toMatchObject({ status: 416, code: "range_not_satisfiable" });
    expect(answer.headers["content-range"]).toBe("bytes */10");
  });

  test("a range of another blob's tag is answered with everything", async () => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    const answer = await gateway.call(path(DATA), { headers: { range: "bytes=0-1", "if-range": '"x"' } });
    expect(answer.status).toBe(200);
  });

  test("HEAD tells the size without the bytes", async () => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    const there = await gateway.call(path(DATA), { method: "HEAD" });
    expect(there).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
    expect(there.headers["content-length"]).toBe("10");
    expect((await gateway.call(path(SCENE), { method: "HEAD" })).status).toBe(404);
  });
});

/** Five of ten announced bytes, then the end of the stream, or a reset. */
function half(gateway: TestGateway, reset = false): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
    socket.write(
      `PUT ${path(DATA)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.adminToken}\r\n` +
        "Content-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\n01234",
    );
    const staged = setInterval(() => {
      if (files(gateway).length === 0) return;
      clearInterval(staged);
      if (reset) socket.resetAndDestroy();
      else socket.end();
    }, 5);
  });
}

/** A worker's upload of a task of nobody that announces much, sends little and waits for the end. */
function stalled(gateway: TestGateway, token: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer));
    socket.write(
      `PUT ${path(DATA)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        "Task-Id: none\r\nFencing-Token: 1\r\nContent-Length: 1000000\r\n\r\n01234",
    );
  });
}
