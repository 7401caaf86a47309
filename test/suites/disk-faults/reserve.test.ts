import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { HandoffError } from "../../../src/core/error.ts";
import type { Logger } from "../../../src/core/logger.ts";
import { newToken } from "../../../src/gateway/people/token.ts";
import { openReserve } from "../../../src/gateway/upkeep/reserve.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { callGateway } from "../../support/gateway-call.ts";
import { runCli } from "../../support/run-cli.ts";
import { serveCommand } from "../../support/serve-command.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const DISK_BYTES = 16 * 1024 * 1024;
const ANY = 10_000;

test("on a disk that is full gc has room to begin with, and the gateway takes writes again", async () => {
  const folder = await temporaryFolder();
  const [disk, tokenFile, token] = [
    join(folder, "disk"),
    join(folder, "token"),
    newToken({ role: "administrator" }),
  ];
  mkdirSync(disk);
  writeFileSync(tokenFile, token, { mode: 0o600 });
  // a small disk that only this process sees, with the token of this test
  const prepare = `mount -t tmpfs -o size=${DISK_BYTES} tmpfs ${disk} && install -m 700 -d ${disk}/data &&
    install -m 600 ${tokenFile} ${disk}/data/admin-token && exec "$@"`;
  const under = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", prepare, "sh"];
  const { url, stop } = await serveCommand(join(disk, "data"), [], under);
  const put = async (bytes: Buffer) =>
    (await callGateway(`${url}/q/blob/${sha256(bytes)}`, { token, method: "PUT", body: bytes })).status;
  const enqueue = async (task_id: string, bytes: number) => {
    const body = { task_id, payload: "x".repeat(bytes), lease_seconds: 60 };
    return (await callGateway(`${url}/q/enqueue`, { token, method: "POST", body })).status;
  };
  const ready = async () => (await callGateway(`${url}/readyz`, { token: null })).status;
  const storeUp = async () => {
    const { bytes } = await callGateway(`${url}/metrics`, { token: null });
    return /^render_handoff_gateway_store_up (\d)$/m.exec(bytes.toString("utf8"))?.[1];
  };
  const gc = () =>
    runCli("render-handoff", [
      "gateway",
      "gc",
      "--gateway",
      url,
      "--admin-token-file",
      tokenFile,
      "--older-than",
      "0s",
    ]);

  let blobs = 0;
  while ((await put(randomBytes(1_000_000))) === 201) blobs += 1;
  // of so small a disk it has an eighth
  expect(blobs).toBeGreaterThan(8);
  for (const bytes of [60_000, 3_000]) {
    let tasks = 0;
    while (tasks < ANY && (await enqueue(`task-${bytes}-${tasks}`, bytes)) === 201) tasks += 1;
    expect(tasks).toBeLessThan(ANY);
  }
  expect([await ready(), await storeUp()]).toEqual([503, "0"]);

  const refused = randomBytes(500_000);
  expect(await onOneConnection(url, { path: `/q/blob/${sha256(refused)}`, token, body: refused })).toEqual([
    503, 503,
  ]);

  expect(await gc()).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining(`removed ${blobs} unused blobs`),
  });
  expect([await ready(), await storeUp()]).toEqual([200, "1"]);
  expect(await enqueue("afterwards", 60_000)).toBe(201);
  expect(await stop()).toBe(0);
});

/** An upload that is refused in its middle, and the next request of the same connection: their statuses. */
async function onOneConnection(
  url: string,
  { path, token, body }: { path: string; token: string; body: Buffer },
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const authorization = `Bearer ${token}`;
  const ask = (options: RequestOptions, bytes?: Buffer) =>
    new Promise<number>((resolve, reject) => {
      const asked = request(new URL(options.path ?? "/", url), { ...options, agent }, (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
      });
      asked.once("error", reject).end(bytes);
    });
  const headers = {
    authorization,
    "content-type": "application/octet-stream",
    "content-length": body.byteLength,
  };
  try {
    return [await ask({ path, method: "PUT", headers }, body), await ask({ path: "/readyz" })];
  } finally {
    agent.destroy();
  }
}

/** A reserve of 1000 bytes with what it logs. */
async function small() {
  const dataFolder = await temporaryFolder();
  const logged: string[] = [];
  const logger: Logger = { log: (_level, event) => logged.push(event) };
  const path = join(dataFolder, "reserve");
  return { reserve: openReserve({ dataFolder, bytes: 1_000, logger }), path, logged };
}

test("the reserve is away while the work that it was lent to runs, and there again behind it, however it ended", async () => {
  const { reserve, path } = await small();
  await reserve.fill();
  expect(statSync(path)).toMatchObject({ size: 1_000 });
  expect(await reserve.lend(async () => existsSync(path))).toBe(false);
  expect(statSync(path).size).toBe(1_000);
  const failing = reserve.lend(() => Promise.reject(new HandoffError("GATEWAY_STORE_FAILED")));
  expect(await codeOfPromise(failing)).toBe("GATEWAY_STORE_FAILED");
  expect(statSync(path).size).toBe(1_000);
});

test("what a killed gateway left half is made whole; where there is room nobody gives it up", async () => {
  const { reserve, path, logged } = await small();
  writeFileSync(path, "half");
  await reserve.makeRoom();
  expect(existsSync(path)).toBe(true);
  await reserve.fill();
  expect(statSync(path).size).toBe(1_000);
  expect(logged).toEqual([]);
});

test("a reserve that cannot be made is logged, and stops nothing", async () => {
  const { reserve, path, logged } = await small();
  mkdirSync(path);
  await reserve.fill();
  expect(logged).toEqual(["reserve_missing"]);
});
