import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import { createSecureContext } from "node:tls";
import { LIMITS } from "../../../contracts/limits.ts";
import { HandoffError, systemCode } from "../../core/error.ts";

export interface Tls {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/** USAGE_FILE_INVALID for a certificate or key that is none, or that do not belong together. */
export function checkTls(tls: Tls): void {
  try {
    createSecureContext(tls);
  } catch (thrown) {
    throw new HandoffError("USAGE_FILE_INVALID", `TLS: ${systemCode(thrown) ?? "no certificate and key"}.`, {
      cause: thrown,
    });
  }
}

/** What is offered to clients; older protocols are not. */
const secured = ({ cert, key }: Tls) => ({ cert, key, minVersion: "TLSv1.2" }) as const;

/**
 * New connections get the new pair; those that are there keep theirs. A pair that is none is USAGE_FILE_INVALID, and
 * the old one stays.
 */
export function renewTls(server: Server, tls: Tls): void {
  checkTls(tls);
  if (server instanceof TlsServer) server.setSecureContext(secured(tls));
}

/** Milliseconds. */
export interface Timeouts {
  /** For all headers of a request to arrive; for a TLS handshake before them as long again. */
  readonly headersMs: number;
  /** For a whole request; bodies of many gigabytes over slow lines included. */
  readonly requestMs: number;
  /** For a body to arrive; one of stated length gets the time of its bytes at the slowest rate on top. */
  readonly bodyMs: number;
  /** Without a byte in either direction while a request is in flight. */
  readonly idleMs: number;
  /** For the rest of a body after its request was refused: what is left then is cut. */
  readonly lingerMs: number;
  /** Between requests of one connection. */
  readonly keepAliveMs: number;
  /** For requests in flight when the gateway closes. */
  readonly closeMs: number;
}
export const STANDARD_TIMEOUTS: Timeouts = {
  headersMs: 8_000,
  requestMs: 12 * 3_600_000,
  bodyMs: LIMITS.exchangeMs,
  idleMs: 30_000,
  lingerMs: 2_000,
  keepAliveMs: 10_000,
  closeMs: 10_000,
};

export interface ListenerOptions {
  readonly tls: Tls | null;
  readonly timeouts: Timeouts;
  /** Connections at the same time; what comes beyond them is closed at once. */
  readonly connections: number;
}

/** The HTTP or HTTPS server under Fastify. Node's own bare 400s are off: every error is a problem document. */
export function createListener(
  handler: RequestListener,
  { tls, timeouts, connections }: ListenerOptions,
): Server {
  const options: ServerOptions = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    requireHostHeader: false,
  };
  const server =
    tls === null
      ? createServer(options, handler)
      : createTlsServer({ ...options, ...secured(tls), handshakeTimeout: timeouts.headersMs }, handler);
  server.timeout = timeouts.idleMs;
  server.maxConnections = connections;
  // an Expect that is not understood is answered like the request without it, not with a bare 417
  server.on("checkExpectation", handler);
  return server;
}
