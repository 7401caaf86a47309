import type { Dispatcher } from "undici";
import type { RouteName } from "../../contracts/routes.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { RawAnswer } from "./exchange.ts";
import type { GatewayUrl } from "./gateway-url.ts";
import type { HostGate } from "./host-gate.ts";

/** One attempt as it went, for counts and captures. Never holds the token. */
export interface ExchangeRecord {
  readonly route: RouteName;
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly status: number | null;
  readonly code: string | null;
  /** Of the request, without the Authorization. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly headers: RawAnswer["headers"];
  /** Whole; empty where it went to a file. */
  readonly body: Buffer;
}

/** What all calls of one client share. */
export interface Session {
  readonly url: GatewayUrl;
  readonly token: string | null;
  readonly agent: Dispatcher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hosts: HostGate;
  readonly signal: AbortSignal | null;
  /** Milliseconds that may still be slept away. */
  readonly patience: { leftMs: number };
  readonly onExchange: ((record: ExchangeRecord) => void) | null;
}
