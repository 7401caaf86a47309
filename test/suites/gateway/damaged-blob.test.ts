import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { blobPath } from "../../../src/gateway/blobs/folder/open.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { dial } from "../http-edge/trickle.ts";
import { DATA, files, holding, path, put, upload } from "./blob-calls.ts";

const fileOf = (gateway: TestGateway, bytes: Buffer): string =>
  blobPath(join(gateway.dataFolder, "blobs"), sha256(bytes));

describe("a blob that is on record", () => {
  test.each([
    ["with other bytes of its size", (file: string) => writeFileSync(file, "9876543210")],
    ["cut short", (file: string) => truncateSync(file, 4)],
    ["gone", (file: string) => rmSync(file)],
  ])("and whose file is %s is whole again when it is put again", async (_what, damage) => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    damage(fileOf(gateway, DATA));
    expect((await put(gateway, DATA)).status).toBe(200);
    expect((await gateway.call(path(DATA))).bytes).toEqual(DATA);
    expect(readFileSync(fileOf(gateway, DATA))).toEqual(DATA);
    expect(files(gateway)).toHaveLength(1);
  });

  test("and damaged is mended by a worker's upload too", async () => {
    const { gateway, worker } = await holding();
    await upload(gateway, worker, { bytes: DATA });
    writeFileSync(fileOf(gateway, DATA), "9876543210");
    expect((await upload(gateway, worker, { bytes: DATA })).status).toBe(200);
    expect((await gateway.call(path(DATA))).bytes).toEqual(DATA);
  });

  test("and damaged is not mended by bytes that are not its own", async () => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    writeFileSync(fileOf(gateway, DATA), "9876543210");
    const wrong = await gateway.call(path(DATA), { method: "PUT", body: "9876543210" });
    expect(wrong.code).toBe("blob_digest_mismatch");
    expect((await put(gateway, DATA)).status).toBe(200);
    expect((await gateway.call(path(DATA))).bytes).toEqual(DATA);
  });

  test("and sound keeps its file when it is put again", async () => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    const { ino } = statSync(fileOf(gateway, DATA));
    await put(gateway, DATA);
    expect(statSync(fileOf(gateway, DATA)).ino).toBe(ino);
  });

  test("stays whole for a reader of the damaged file while it is mended", async () => {
    const gateway = await startGateway();
    const large = Buffer.alloc(4_000_000, 7);
    const other = Buffer.alloc(4_000_000, 8);
    await put(gateway, large);
    writeFileSync(fileOf(gateway, large), other);
    const reader = dial(
      gateway,
      `GET ${path(large)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.adminToken}\r\nConnection: close\r\n\r\n`,
    );
    await new Promise((resolve) => reader.socket.once("data", resolve));
    reader.socket.pause();
    expect((await put(gateway, large)).status).toBe(200);
    reader.socket.resume();
    const answer = await reader.answer;
    expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toBe(other.toString("utf8"));
  });

  test.each([
    ["gone", (file: string) => rmSync(file)],
    ["cut short", (file: string) => truncateSync(file, 4)],
  ])("and whose file is %s is unavailable, not half an answer", async (_what, damage) => {
    const gateway = await startGateway();
    await put(gateway, DATA);
    damage(fileOf(gateway, DATA));
    for (const headers of [{}, { range: "bytes=2-6" }])
      expect(await gateway.call(path(DATA), { headers })).toMatchObject({ status: 503, code: "unavailable" });
    expect((await gateway.call(path(DATA), { headers: { range: "bytes=0-0" } })).status).toBe(
      _what === "gone" ? 503 : 206,
    );
  });
});
