import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { selfSigned } from "../../support/certificate.ts";
import { GATEWAY_ID } from "../../support/raw-server.ts";

const MAIN = fileURLToPath(new URL("./heartbeat-main.ts", import.meta.url));

/** A gateway behind a certificate of its own that acknowledges every heartbeat with a lease of a minute. */
async function tlsGateway() {
  const { cert, key, file } = await selfSigned();
  const seen: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "render-handoff-gateway": GATEWAY_ID });
    response.end(JSON.stringify({ lease_seconds: 60 }));
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { origin: `https://127.0.0.1:${port}`, cert: file, seen };
}

const beat = async (origin: string, leaseMs: number, env: NodeJS.ProcessEnv): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [MAIN, origin, GATEWAY_ID, String(leaseMs)], { env })
  ).stdout.trim();

test("heartbeats go over TLS to a gateway whose certificate is trusted", async () => {
  const { origin, cert, seen } = await tlsGateway();
  expect(await beat(origin, 40_000, { NODE_EXTRA_CA_CERTS: cert })).toBe("acknowledged");
  expect(new Set(seen)).toEqual(new Set(["POST /q/heartbeat Bearer secret"]));
});

test("no heartbeat, and no token, goes to a gateway whose certificate is not trusted", async () => {
  const { origin, seen } = await tlsGateway();
  expect(await beat(origin, 3_000, {})).toBe("lost");
  expect(seen).toEqual([]);
});
