import plugin from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RouteName } from "../../../contracts/routes.ts";
import { HandoffError } from "../../core/error.ts";
import { personOf } from "./call.ts";
import { exchangeOf } from "./exchange.ts";

/** Counts a request of a worker or checker; rate_limited with the seconds until its window ends. */
export type Limiter = (name: RouteName, request: FastifyRequest) => Promise<void>;

/** What a worker must be able to send to keep or give back what it has. */
const EXEMPT: ReadonlySet<RouteName> = new Set(["heartbeat", "release", "submit"]);

export const RATE_WINDOW_SECONDS = 10;
/** Workers and checkers that are remembered; the one that was quiet longest is forgotten first. */
const REMEMBERED = 10_000;

/** `requests` of one worker or checker in each window, counted by this process; null for no limit. */
export async function openLimiter(fastify: FastifyInstance, requests: number | null): Promise<Limiter> {
  if (requests === null) return async () => {};
  await fastify.register(plugin, { global: false, cache: REMEMBERED });
  const count = fastify.createRateLimit({
    max: requests,
    timeWindow: RATE_WINDOW_SECONDS * 1_000,
    keyGenerator: (request) => callerOf(request) ?? "",
  });
  return async (name, request) => {
    if (EXEMPT.has(name) || callerOf(request) === null) return;
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded)
      throw new HandoffError("rate_limited", `At most ${requests} in ${RATE_WINDOW_SECONDS} seconds.`, {
        retryAfterSeconds: Math.max(1, counted.ttlInSeconds),
      });
  };
}

/** Null for the administrator, who is not limited, and on open routes. */
const callerOf = (request: FastifyRequest): string | null =>
  personOf(exchangeOf(request) ?? { principal: null });
