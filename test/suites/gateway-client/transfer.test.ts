import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS } from "../../../contracts/limits.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { openClient } from "../../support/raw-client.ts";
import { cut, rawServer } from "../../support/raw-server.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const BYTES = Buffer.alloc(300_000, "frame");
const SHA = createHash("sha256").update(BYTES).digest("hex");

test("a download that breaks begins again from zero", async () => {
  const server = await rawServer(
    (_, response) => {
      response.writeHead(200, { "content-length": String(BYTES.byteLength) });
      response.write(BYTES.subarray(0, 100_000), () => response.destroy());
    },
    (_, response) => response.end(BYTES),
  );
  const path = join(await temporaryFolder(), "blob");
  const answer = await openClient(server.url).getBlob({
    sha256: SHA,
    path,
    maxBytes: 400_000,
    bytes: BYTES.byteLength,
  });
  expect(answer).toMatchObject({ value: BYTES.byteLength, attempts: 2 });
  expect(readFileSync(path).equals(BYTES)).toBe(true);
  expect(server.seen.every((one) => one.headers["range"] === undefined)).toBe(true);
});

test("a download of other bytes is tried three times and leaves no file", async () => {
  const server = await rawServer((_, response) => response.end("other"));
  const path = join(await temporaryFolder(), "blob");
  const call = openClient(server.url).getBlob({ sha256: SHA, path, maxBytes: 400_000, bytes: null });
  expect(await codeOfPromise(call)).toBe("GATEWAY_BLOB_DAMAGED");
  expect(server.seen).toHaveLength(3);
  expect(existsSync(path) || existsSync(`${path}.partial`)).toBe(false);
});

test("a download over its cap is given up at the cap", async () => {
  const server = await rawServer((_, response) => response.end(BYTES));
  const path = join(await temporaryFolder(), "blob");
  const call = openClient(server.url).getBlob({ sha256: SHA, path, maxBytes: 1_000, bytes: null });
  expect(await codeOfPromise(call)).toBe("GATEWAY_RESPONSE_TOO_LARGE");
  expect(existsSync(`${path}.partial`)).toBe(false);
});

test("an upload has its length and digest and comes whole again after a break", async () => {
  const path = join(await temporaryFolder(), "bundle");
  writeFileSync(path, BYTES);
  const server = await rawServer(cut, (_, response) => response.writeHead(201).end());
  const blob = { path, sha256: SHA, bytes: BYTES.byteLength, lease: { taskId: "job.a", fence: 7 } };
  expect((await openClient(server.url).putBlob(blob)).attempts).toBe(2);
  expect(server.seen.map((one) => one.body.equals(BYTES))).toEqual([true, true]);
  expect(server.seen[1]).toMatchObject({ method: "PUT", url: `/q/blob/${SHA}` });
  expect(server.seen[1]?.headers).toMatchObject({
    "content-length": String(BYTES.byteLength),
    "content-digest": `sha-256=:${Buffer.from(SHA, "hex").toString("base64")}:`,
    "task-id": "job.a",
    "fencing-token": "7",
  });
});

test("an upload is waited for as long as it may take, not only as long as a short answer", async () => {
  const path = join(await temporaryFolder(), "bundle");
  writeFileSync(path, BYTES);
  const server = await rawServer((_, response) => {
    setTimeout(() => response.writeHead(201).end(), LIMITS.headersMs + 2_000);
  });
  const blob = { path, sha256: SHA, bytes: BYTES.byteLength, lease: null };
  expect((await openClient(server.url).putBlob(blob)).attempts).toBe(1);
});

test("an upload of a file that is not there is the machine's error", async () => {
  const server = await rawServer((_, response) => response.end());
  const blob = { path: join(await temporaryFolder(), "none"), sha256: SHA, bytes: 5, lease: null };
  await expect(openClient(server.url).putBlob(blob)).rejects.toMatchObject({ code: "ENOENT" });
});
