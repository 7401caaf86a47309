import { describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { files, holding, path, put, upload } from "../gateway/blob-calls.ts";
import { dial } from "./trickle.ts";

const LARGE = Buffer.alloc(4_000_000, 7);
const putHead = (gateway: TestGateway, headers = ""): string =>
  `PUT ${path(LARGE)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.adminToken}\r\n` +
  `Content-Length: ${LARGE.byteLength}\r\n${headers}Connection: close\r\n\r\n`;

/** A writer that has sent the first half and waits. */
async function halfWritten(gateway: TestGateway) {
  const writer = dial(gateway, putHead(gateway));
  writer.socket.write(LARGE.subarray(0, 2_000_000));
  await expect.poll(() => files(gateway)).toHaveLength(1);
  return writer;
}

describe("a blob", () => {
  test("is not there for a reader while its writer runs, and whole as soon as it is there", async () => {
    const gateway = await startGateway();
    const writer = await halfWritten(gateway);
    expect((await gateway.call(path(LARGE))).code).toBe("blob_unknown");
    expect((await gateway.call(path(LARGE), { method: "HEAD" })).status).toBe(404);
    writer.socket.write(LARGE.subarray(2_000_000));
    expect(await writer.answer).toMatch(/^HTTP\/1\.1 201 /);
    expect((await gateway.call(path(LARGE))).bytes.equals(LARGE)).toBe(true);
  });

  test("stays whole for a reader that began before another writer of the same bytes", async () => {
    const gateway = await startGateway();
    await put(gateway, LARGE);
    const reader = dial(
      gateway,
      `GET ${path(LARGE)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.adminToken}\r\nConnection: close\r\n\r\n`,
    );
    reader.socket.pause();
    expect((await put(gateway, LARGE)).status).toBe(200);
    expect((await put(gateway, LARGE.subarray(1))).status).toBe(201);
    reader.socket.resume();
    const answer = await reader.answer;
    expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toBe(LARGE.toString("utf8"));
  });

  test("that one writer cuts off is completed by another one that runs at the same time", async () => {
    const gateway = await startGateway();
    const writer = await halfWritten(gateway);
    expect((await put(gateway, LARGE)).status).toBe(201);
    writer.socket.resetAndDestroy();
    await writer.answer;
    await expect.poll(() => files(gateway)).toHaveLength(1);
    expect((await gateway.call(path(LARGE))).bytes.equals(LARGE)).toBe(true);
  });

  test("is not harmed by a second writer that sends other bytes under its digest", async () => {
    const gateway = await startGateway();
    const writer = await halfWritten(gateway);
    expect((await put(gateway, LARGE)).status).toBe(201);
    writer.socket.write(Buffer.alloc(2_000_000, 8));
    expect(await writer.answer).toMatch(/^HTTP\/1\.1 422 .*blob_digest_mismatch/s);
    expect((await gateway.call(path(LARGE))).bytes.equals(LARGE)).toBe(true);
    expect(files(gateway)).toHaveLength(1);
  });

  test("whose body goes on beyond its length is no HTTP, and what is stored is the announced bytes", async () => {
    const gateway = await startGateway();
    const writer = dial(gateway, putHead(gateway));
    writer.socket.write(Buffer.concat([LARGE, Buffer.from("more than was announced")]));
    expect(await writer.answer).toContain("urn:render-handoff:error:malformed_http");
    await put(gateway, LARGE);
    expect((await gateway.call(path(LARGE))).bytes.equals(LARGE)).toBe(true);
    expect(files(gateway)).toHaveLength(1);
  });

  test("of a worker that is revoked while it uploads is not kept", async () => {
    const { gateway, worker } = await holding();
    const before = files(gateway);
    const head = putHead(gateway, "Task-Id: shot-1.a\r\nFencing-Token: 1\r\n");
    const writer = dial(gateway, head.replace(gateway.adminToken, worker.token));
    writer.socket.write(LARGE.subarray(0, 2_000_000));
    await expect.poll(() => files(gateway)).toHaveLength(before.length + 1);
    await gateway.call(`/q/worker/${worker.workerUuid}/revoke`, { method: "POST" });
    writer.socket.write(LARGE.subarray(2_000_000));
    expect(await writer.answer).toContain("urn:render-handoff:error:stale_or_invalid_lease");
    expect(files(gateway)).toEqual(before);
    expect((await upload(gateway, worker)).code).toBe("worker_revoked");
  });
});
