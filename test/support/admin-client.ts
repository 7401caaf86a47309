import { onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { type GatewayClient, openGatewayClient } from "../../src/gateway-client/client.ts";
import { memoryHostGate } from "../../src/gateway-client/host-gate.ts";
import type { TestGateway } from "./gateway.ts";

/** The product's own client with the administrator's token, for as long as the test runs. */
export function adminClient(gateway: TestGateway): GatewayClient {
  const client = openGatewayClient({
    url: gateway.url,
    token: gateway.adminToken,
    allowInsecure: false,
    clock: systemClock,
    logger: silentLogger,
    hosts: memoryHostGate(),
  });
  onTestFinished(() => client.close());
  return client;
}
