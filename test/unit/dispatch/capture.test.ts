import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { openCapture } from "../../../src/dispatch/capture.ts";
import type { ExchangeRecord } from "../../../src/gateway-client/client.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const exchange = (body: Buffer): ExchangeRecord => ({
  route: "getJob",
  method: "GET",
  path: "/q/job/shot",
  attempt: 1,
  status: 200,
  code: null,
  requestHeaders: { accept: "*/*", Authorization: "Bearer secret" },
  headers: { "content-type": "application/json", "set-cookie": "secret" },
  body,
});

test.each([0, 65_535, 65_536, 65_537, 1_000_000])(
  "of an answer of %i bytes the first 64 KiB are kept, with size and digest of the whole",
  async (bytes) => {
    const folder = join(await temporaryFolder(), "capture");
    const capture = openCapture(folder);
    const body = Buffer.alloc(bytes, "abc");
    capture.record(exchange(body));
    const kept = Math.min(bytes, 65_536);
    const text = readFileSync(join(folder, "0001-getJob.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ status: 200, body: { bytes, kept, sha256: sha256(body) } });
    expect(text).not.toContain("secret");
    const files = (await readdir(folder)).toSorted();
    expect(files).toEqual(bytes === 0 ? ["0001-getJob.json"] : ["0001-getJob.body", "0001-getJob.json"]);
    if (bytes > 0)
      expect(readFileSync(join(folder, "0001-getJob.body")).equals(body.subarray(0, kept))).toBe(true);
    expect(capture.count()).toBe(1);
  },
);
