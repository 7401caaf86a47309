import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { HEADERS, ROUTES } from "../../../contracts/routes.ts";
import { REQUEST_ID } from "../../../contracts/telemetry.ts";
import type { Route } from "../../../contracts/wire/route.ts";
import { HandoffError } from "../../core/error.ts";
import { createListener, type Tls } from "./listener.ts";
import { type RouterOptions, registerRoutes } from "./router.ts";
import { Serving, type ServingOptions } from "./serving.ts";

export interface AppOptions extends RouterOptions, ServingOptions {
  readonly tls: Tls | null;
  readonly connections: number;
  /** Whether the gateway is closing: answers then end their connection. */
  readonly closing: () => boolean;
}

/** The whole HTTP side: routes, errors, logs, metrics; nothing listens yet. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const serve = new Serving(options);
  const fastify = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    genReqId: (request) => {
      const [stated = "", ...more] = request.headersDistinct[HEADERS.requestId] ?? [];
      return more.length === 0 && REQUEST_ID.test(stated) ? stated : options.services.clock.uuid();
    },
    // called outside of every hook and every catch: what is thrown here would end the process
    frameworkErrors: (error, request, reply) => {
      reply.raw.once("finish", () => serve.finish(request, reply.statusCode));
      try {
        serve.begin(request, reply);
      } catch (thrown) {
        return serve.fail(thrown, request, reply);
      }
      serve.fail(error, request, reply);
    },
    serverFactory: (handler) => {
      const server = createListener(handler, options);
      serve.watch(server);
      return server;
    },
  });
  fastify.addHook("onRequest", async (request, reply) => serve.begin(request, reply));
  fastify.addHook("onSend", async (_request, reply) => {
    if (options.closing()) reply.header("connection", "close");
  });
  fastify.addHook("onResponse", async (request, reply) => serve.finish(request, reply.statusCode));
  fastify.addHook("onRequestAbort", async (request) => serve.finish(request, 499));
  fastify.setErrorHandler((error, request, reply) => serve.fail(error, request, reply));
  fastify.setNotFoundHandler((request, reply) => serve.fail(unrouted(request, reply), request, reply));
  await registerRoutes(fastify, options);
  await fastify.ready();
  return fastify;
}

/** 405 with Allow where the path is one of ours, else 404. */
function unrouted(request: FastifyRequest, reply: FastifyReply): HandoffError {
  const path = request.url.split("?")[0] ?? "";
  const table: Route[] = Object.values(ROUTES);
  const methods = table.filter((route) => pathPattern(route.path).test(path)).map((route) => route.method);
  if (methods.length === 0) return new HandoffError("route_unknown");
  reply.header("allow", [...new Set(methods)].join(", "));
  return new HandoffError("method_not_allowed");
}

const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
