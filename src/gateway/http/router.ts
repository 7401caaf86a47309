import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ROUTES, type RouteName } from "../../../contracts/routes.ts";
import type { Route } from "../../../contracts/wire/route.ts";
import { HandoffError } from "../../core/error.ts";
import { authenticate } from "../people/authenticate.ts";
import { bearerToken } from "./bearer.ts";
import type { Call, Services } from "./call.ts";
import { exchangeOf } from "./exchange.ts";
import type { Handler, Payload } from "./handler.ts";
import { HANDLERS } from "./handlers.ts";
import { checkMediaType } from "./media-type.ts";
import { cookieToken, isNeighbour, type PageAccess, readsFreely } from "./page-access.ts";
import { readParams, readQuery } from "./parameters.ts";
import { type Limiter, openLimiter } from "./rate-limit.ts";
import { brokenAnswer, respond } from "./respond.ts";

export interface RouterOptions extends PageAccess {
  /** TLS ends here. */
  readonly encrypted: boolean;
  readonly services: Services;
  readonly adminTokenSha256: string;
  /** Holds every answer to its schema: for development and tests. */
  readonly checkAnswers: boolean;
  /** Requests of one worker or checker in a window; null for no limit. */
  readonly rateLimit: number | null;
}

/** Registers exactly the routes of the table; the domain is in the handlers alone. */
export async function registerRoutes(fastify: FastifyInstance, options: RouterOptions): Promise<void> {
  const limit = await openLimiter(fastify, options.rateLimit);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  for (const [name, route] of routesOf((route) => route.body !== "blob"))
    addRoute(fastify, { name, route, options, limit });
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, body, done) => done(null, body));
    for (const [name, route] of routesOf((route) => route.body === "blob"))
      addRoute(scope, { name, route, options, limit });
  });
}

interface Routed {
  readonly name: RouteName;
  readonly route: Route;
  readonly options: RouterOptions;
  readonly limit: Limiter;
}

const isRouteName = (name: string): name is RouteName => Object.hasOwn(ROUTES, name);

function routesOf(wanted: (route: Route) => boolean): [RouteName, Route][] {
  const found: [RouteName, Route][] = [];
  for (const [name, route] of Object.entries(ROUTES))
    if (isRouteName(name) && wanted(route)) found.push([name, route]);
  return found;
}

function addRoute(fastify: FastifyInstance, routed: Routed): void {
  const { name, route, options } = routed;
  const handler: Handler = HANDLERS[name];
  if (handler.request !== route.request) throw new TypeError(`handler ${name} narrows by another schema`);
  fastify.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    exposeHeadRoute: false,
    ...(route.bodyBytes > 0 ? { bodyLimit: route.bodyBytes } : {}),
    onRequest: async (request, reply) => {
      try {
        await admit(request, routed);
      } catch (thrown) {
        const answer = thrown instanceof HandoffError ? (handler.refusal?.(thrown) ?? null) : null;
        if (answer === null) throw thrown;
        return sent(reply, respond(reply, answer));
      }
    },
    handler: async (request, reply) => {
      const answer = await handler.run(callOf(request, routed), payloadOf(request));
      const broken = options.checkAnswers ? brokenAnswer(route, answer) : null;
      if (broken !== null) throw new TypeError(`answer of ${name} breaks its schema: ${broken}`);
      return sent(reply, respond(reply, answer));
    },
  });
}

/** An async handler of Fastify's must give back the reply that it has sent. */
const sent = (reply: FastifyReply, _sending: unknown): FastifyReply => reply;

/** Before any byte of the body: token, role, rate, media type. */
async function admit(request: FastifyRequest, { name, route, options, limit }: Routed): Promise<void> {
  const exchange = exchangeOf(request);
  if (exchange !== null) exchange.route = name;
  if (route.who === "open") return;
  const stated = request.raw.headersDistinct["authorization"] ?? [];
  if (route.openOnLoopback === true && stated.length === 0 && isNeighbour(request, options.behindProxy))
    return;
  const cookie = route.page === true && stated.length === 0 ? cookieToken(request) : null;
  if (route.page === true && stated.length === 0 && cookie === null && readsFreely(request, options)) return;
  const token = cookie ?? bearerToken(stated);
  const principal = await authenticate(options.services.queue.store, options.adminTokenSha256, token);
  if (exchange !== null) {
    exchange.principal = principal;
    if (principal.role === "worker") exchange.fields = { worker_uuid: principal.workerUuid };
  }
  if (!route.who.includes(principal.role))
    throw new HandoffError("role_forbidden", `The route is for: ${route.who.join(", ")}.`);
  await limit(name, request);
  checkMediaType(route, request.headers);
}

function callOf(request: FastifyRequest, { name, route, options }: Routed): Call {
  const exchange = exchangeOf(request);
  return {
    services: options.services,
    principal: exchange?.principal ?? null,
    params: readParams(route.path, request.params),
    query: readQuery(route.query, request.raw.url ?? ""),
    headerValues: (header) => {
      if (route.reads?.[header] === undefined) throw new TypeError(`${name} does not list ${header}`);
      return request.raw.headersDistinct[header] ?? [];
    },
    secure: options.behindProxy || options.encrypted,
    note: (fields) => {
      if (exchange !== null) exchange.fields = { ...exchange.fields, ...fields };
    },
  };
}

function payloadOf(request: FastifyRequest): Payload {
  const { body } = request;
  if (Buffer.isBuffer(body)) return { kind: "bytes", bytes: body };
  return isIncoming(body, request.raw) ? { kind: "stream", source: request.raw } : { kind: "none" };
}

const isIncoming = (body: unknown, raw: IncomingMessage): boolean => body === raw;
