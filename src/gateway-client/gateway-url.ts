import { HandoffError } from "../core/error.ts";

export interface GatewayUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path of the gateway below its origin, without a slash at the end; mostly empty. */
  readonly base: string;
  /** Lower-case host and port, always with the port: key of the host gate. */
  readonly host: string;
}

/**
 * Reads a gateway's URL. Throws USAGE_ARGUMENT for what is no http(s) URL or carries credentials, a query
 * or a fragment; USAGE_INSECURE_GATEWAY for http:// beyond this machine unless allowed.
 */
export function readGatewayUrl(text: string, allowInsecure: boolean): GatewayUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new HandoffError("USAGE_ARGUMENT", "The gateway must be an http:// or https:// URL.");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new HandoffError(
      "USAGE_ARGUMENT",
      "The gateway's URL carries a name, password, query or fragment.",
    );
  if (url.protocol === "http:" && !allowInsecure && !isLoopback(url.hostname))
    throw new HandoffError("USAGE_INSECURE_GATEWAY", url.origin);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return { origin: url.origin, base: url.pathname.replace(/\/+$/, ""), host: `${url.hostname}:${port}` };
}

/** Whether a gateway's URL names this machine. */
export const isLoopbackGateway = (text: string): boolean =>
  URL.canParse(text) && isLoopback(new URL(text).hostname);

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
