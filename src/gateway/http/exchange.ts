import type { FastifyRequest } from "fastify";
import type { RouteName } from "../../../contracts/routes.ts";
import type { LogFields } from "../../core/logger.ts";
import type { Principal } from "../people/authenticate.ts";

/** What is known of one request besides Fastify's own: for its log line, its metrics and its handler. */
export interface Exchange {
  readonly requestId: string;
  readonly startedMs: number;
  route: RouteName | "unknown";
  principal: Principal | null;
  code: string | null;
  /** Logged and counted already. */
  finished: boolean;
  fields: LogFields;
}

const exchanges = new WeakMap<object, Exchange>();

export const startExchange = (request: FastifyRequest, exchange: Exchange): void => {
  exchanges.set(request.raw, exchange);
};
export const exchangeOf = (request: { readonly raw: object }): Exchange | null =>
  exchanges.get(request.raw) ?? null;
