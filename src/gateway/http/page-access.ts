import type { FastifyRequest } from "fastify";
import { isToken } from "../people/token.ts";

/** Session cookie of the page: the token that was given to the login form. */
export const PAGE_COOKIE = "render_handoff_page";

export interface PageAccess {
  readonly behindProxy: boolean;
  /** Asks for a token on this machine too. */
  readonly pageToken: boolean;
}

/** Addresses of this machine alone, IPv4 ones mapped into IPv6 too. */
export const isLoopback = (address: string): boolean =>
  address === "localhost" || address === "::1" || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);

/**
 * The connection comes from this machine, through no proxy, and was not led here by a foreign name (DNS
 * rebinding) or page, whose script would be the reader.
 */
export function isNeighbour({ raw }: FastifyRequest, behindProxy: boolean): boolean {
  if (behindProxy || !isLoopback(raw.socket.remoteAddress ?? "")) return false;
  const host = (raw.headers.host ?? "").replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1");
  return isLoopback(host.toLowerCase()) && raw.headers["sec-fetch-site"] !== "cross-site";
}

/** Whether the page may be read without a token. */
export const readsFreely = (request: FastifyRequest, access: PageAccess): boolean =>
  !access.pageToken && isNeighbour(request, access.behindProxy);

/** The token in the page's cookie; null when there is none, or more than one. */
export function cookieToken(request: FastifyRequest): string | null {
  const found = (request.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${PAGE_COOKIE}=`))
    .map((pair) => pair.slice(PAGE_COOKIE.length + 1));
  const [token = ""] = found;
  return found.length === 1 && isToken(token) ? token : null;
}
