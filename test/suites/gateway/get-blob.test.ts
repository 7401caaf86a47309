import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { startGateway } from "../../support/gateway.ts";
import { BUNDLE, SCENE } from "../../support/gateway-job.ts";

import { DATA, holding, path, put, upload } from "./blob-calls.ts";

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
