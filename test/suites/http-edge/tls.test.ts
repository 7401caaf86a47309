import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { selfSigned } from "../../support/certificate.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { dial } from "./trickle.ts";

// Time-outs are asserted by what ends at all: without them each of these waits for Node's own 120 seconds.
const SOON = { timeout: 60_000 };

async function overTls(timeouts: object): Promise<{ gateway: TestGateway; cert: string }> {
  const { cert, key } = await selfSigned();
  return { gateway: await startGateway({ tls: { cert, key }, timeouts }), cert };
}

describe("a client of a gateway with TLS", () => {
  test.each([
    ["says nothing", Buffer.alloc(0)],
    ["stops in the middle of its hello", Buffer.from("1603010200", "hex")],
    ["speaks plain HTTP", Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")],
  ])("that %s is closed", SOON, async (_name, first) => {
    const { gateway } = await overTls({ headersMs: 300 });
    const client = dial(gateway);
    client.socket.write(first);
    await client.answer;
  });

  test("that says nothing after its handshake is closed", SOON, async () => {
    const { gateway, cert } = await overTls({ headersMs: 300 });
    const { hostname, port } = new URL(gateway.url);
    const socket = connectTls({ host: hostname, port: Number(port), ca: cert });
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) =>
      socket
        .on("error", () => {})
        .resume()
        .once("close", resolve),
    );
  });

  test("that holds a connection without a handshake does not hold up the closing", SOON, async () => {
    const { gateway } = await overTls({ headersMs: 600_000, closeMs: 100 });
    const clients = [dial(gateway), dial(gateway, "\x16\x03\x01")];
    await Promise.all(clients.map(({ socket }) => new Promise((resolve) => socket.on("connect", resolve))));
    await gateway.close();
    await Promise.all(clients.map(({ answer }) => answer));
  });

  test("frees its place among the connections when its handshake was given up", SOON, async () => {
    const { cert, key } = await selfSigned();
    const gateway = await startGateway({ tls: { cert, key }, timeouts: { headersMs: 300 }, connections: 1 });
    await dial(gateway).answer;
    const { hostname, port } = new URL(gateway.url);
    const socket = connectTls({ host: hostname, port: Number(port), ca: cert });
    onTestFinished(() => void socket.destroy());
    await expect.poll(() => socket.authorized).toBe(true);
  });
});
