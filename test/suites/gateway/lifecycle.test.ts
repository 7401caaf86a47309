import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { type GatewayOptions, openGateway } from "../../../src/gateway/open.ts";
import { selfSigned } from "../../support/certificate.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway } from "../../support/gateway.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const open = async (change: Partial<GatewayOptions> = {}) => {
  const gateway = await openGateway({
    dataFolder: join(await temporaryFolder(), "data"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    logger: silentLogger,
    ...change,
  });
  onTestFinished(() => gateway.close());
  return gateway;
};

test("the administrator's token and the endpoint are for the owner's eyes and say where to go", async () => {
  const gateway = await startGateway();
  expect(statSync(gateway.adminTokenFile).mode & 0o777).toBe(0o600);
  expect(statSync(gateway.dataFolder).mode & 0o777).toBe(0o700);
  expect(gateway.adminToken).toMatch(/^rha_[A-Za-z0-9_-]{43}$/);
  const endpoint = join(gateway.dataFolder, "endpoint.json");
  expect(JSON.parse(readFileSync(endpoint, "utf8"))).toEqual({
    url: gateway.url,
    gateway_id: gateway.gatewayId,
  });
  await gateway.close();
  expect(existsSync(endpoint)).toBe(false);
});

test("one data folder is served by one gateway, in this process and in another", async () => {
  const gateway = await startGatewayProcess();
  expect(await codeOfPromise(open({ dataFolder: gateway.dataFolder }))).toBe("GATEWAY_DATA_LOCKED");
  await gateway.close();
  const second = await open({ dataFolder: gateway.dataFolder });
  expect(await codeOfPromise(open({ dataFolder: gateway.dataFolder }))).toBe("GATEWAY_DATA_LOCKED");
  expect(second.gatewayId).toBe(gateway.gatewayId);
});

test.each(["0.0.0.0", "::", "192.0.2.1"])("%s is not bound without TLS or a proxy", async (host) => {
  expect(await codeOfPromise(open({ host }))).toBe("USAGE_INSECURE_BIND");
});

test("beyond loopback a gateway serves behind a proxy", async () => {
  const gateway = await open({ host: "0.0.0.0", behindProxy: true });
  const port = new URL(gateway.url).port;
  expect((await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } })).status).toBe(
    200,
  );
});

test("with a certificate the gateway speaks TLS", async () => {
  const { cert, key } = await selfSigned();
  const gateway = await open({ tls: { cert, key } });
  expect(gateway.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const status = await new Promise((resolve, reject) => {
    const sent = httpsRequest(`${gateway.url}/healthz`, { ca: cert, agent: false }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject).end();
  });
  expect(status).toBe(200);
  await expect(fetch(`${gateway.url.replace("https", "http")}/healthz`)).rejects.toThrow();
});

test("a certificate that is none is refused before anything listens", async () => {
  expect(await codeOfPromise(open({ tls: { cert: "no", key: "no" } }))).toBe("USAGE_FILE_INVALID");
});

test("a port that is taken is told as such, and nothing stays open", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const dataFolder = join(await temporaryFolder(), "data");
  expect(await codeOfPromise(open({ dataFolder, port }))).toBe("GATEWAY_PORT_TAKEN");
  expect((await open({ dataFolder })).url).toMatch(/^http/);
});

test("a token file that others can read, or that holds no token, is refused", async () => {
  const dataFolder = join(await temporaryFolder(), "data");
  mkdirSync(dataFolder);
  const file = join(dataFolder, "admin-token");
  writeFileSync(file, "rha_short\n", { mode: 0o600 });
  expect(await codeOfPromise(open({ dataFolder }))).toBe("USAGE_TOKEN_FILE");
  writeFileSync(file, `rha_${"A".repeat(43)}\n`);
  chmodSync(file, 0o644);
  expect(await codeOfPromise(open({ dataFolder }))).toBe("USAGE_TOKEN_FILE");
  chmodSync(file, 0o600);
  expect((await open({ dataFolder })).url).toMatch(/^http/);
});

test("a data folder of something else, or of a newer version, is refused", async () => {
  const folder = await temporaryFolder();
  const [file, alien, newer] = ["file", "alien", "newer"].map((name) => join(folder, name));
  writeFileSync(file ?? "", "no folder");
  expect(await codeOfPromise(open({ dataFolder: file ?? "" }))).toBe("GATEWAY_DATA_INVALID");
  mkdirSync(alien ?? "");
  writeFileSync(
    join(alien ?? "", "queue.sqlite"),
    "this is no database, and longer than a header of one".repeat(20),
  );
  expect(await codeOfPromise(open({ dataFolder: alien ?? "" }))).toBe("GATEWAY_DATA_INVALID");
  await (await open({ dataFolder: newer ?? "" })).close();
  const db = new DatabaseSync(join(newer ?? "", "queue.sqlite"));
  db.exec("INSERT INTO schema_version(version, applied_at) VALUES (999, 0)");
  db.close();
  expect(await codeOfPromise(open({ dataFolder: newer ?? "" }))).toBe("GATEWAY_DATA_NEWER");
});

test("what was staged before a crash is gone after the next start", async () => {
  const dataFolder = join(await temporaryFolder(), "data");
  await (await open({ dataFolder })).close();
  const left = join(dataFolder, "blobs", "staging", "left");
  writeFileSync(left, "half");
  await open({ dataFolder });
  expect(existsSync(left)).toBe(false);
});

test("a request in flight is answered while the gateway closes, and its connection ends", async () => {
  const gateway = await startGateway();
  const bytes = Buffer.from("0123456789");
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  const ended = new Promise((resolve) => socket.on("close", resolve));
  socket.write(
    `PUT /q/blob/${sha256(bytes)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.adminToken}\r\n` +
      "Content-Length: 10\r\n\r\n01234",
  );
  const staging = join(gateway.dataFolder, "blobs", "staging");
  await expect.poll(() => execFileSync("ls", [staging], { encoding: "utf8" })).not.toBe("");
  const closed = gateway.close();
  socket.write("56789");
  await Promise.all([closed, ended]);
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect(answer.toLowerCase()).toContain("connection: close");
});

test("a request that does not end holds the closing for its time only", async () => {
  const gateway = await startGateway({ timeouts: { closeMs: 100 } });
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const ended = new Promise((resolve) => socket.on("close", resolve).on("error", () => {}));
  socket.write("POST /q/claim HTTP/1.1\r\nHost: x\r\n");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all([gateway.close(), ended]);
  await gateway.close();
});
