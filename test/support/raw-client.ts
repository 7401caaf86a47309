import { onTestFinished } from "vitest";
import { silentLogger } from "../../src/core/logger.ts";
import {
  type GatewayClient,
  type GatewayClientOptions,
  openGatewayClient,
} from "../../src/gateway-client/client.ts";
import { memoryHostGate } from "../../src/gateway-client/host-gate.ts";
import { manualClock } from "./manual-clock.ts";

/** A client of a raw server, on a clock of the test's own. */
export function openClient(url: string, change: Partial<GatewayClientOptions> = {}): GatewayClient {
  const client = openGatewayClient({
    url,
    token: "secret",
    allowInsecure: false,
    clock: manualClock(),
    logger: silentLogger,
    hosts: memoryHostGate(),
    ...change,
  });
  onTestFinished(() => client.close());
  return client;
}
