import type { Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { HEADERS, ROUTES } from "../../../contracts/routes.ts";
import type { Route } from "../../../contracts/wire/route.ts";
import { HandoffError, systemCode } from "../../core/error.ts";
import type { Logger } from "../../core/logger.ts";
import { type Exchange, exchangeOf, startExchange } from "./exchange.ts";
import { createListener, type Timeouts, type Tls } from "./listener.ts";
import { type ProblemAnswer, problemOf } from "./problem.ts";
import { answerRaw } from "./raw-problem.ts";
import { isListed, respondProblem } from "./respond.ts";
import { type RouterOptions, registerRoutes } from "./router.ts";

export interface AppOptions extends RouterOptions {
  readonly tls: Tls | null;
  readonly timeouts: Timeouts;
  readonly logger: Logger;
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
    genReqId: () => options.services.clock.uuid(),
    frameworkErrors: (error, request, reply) => {
      serve.begin(request, reply);
      serve.fail(error, request, reply);
    },
    serverFactory: (handler) => {
      const server = createListener(handler, options.tls, options.timeouts);
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

/** What happens around every request, and on connections without one. */
class Serving {
  private readonly options: AppOptions;
  private readonly inFlight = new WeakMap<Socket, { request: FastifyRequest; response: ServerResponse }>();

  constructor(options: AppOptions) {
    this.options = options;
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    const exchange: Exchange = {
      requestId: request.id,
      startedMs: this.options.services.clock.monotonicMs(),
      route: "unknown",
      principal: null,
      code: null,
      fields: {},
    };
    startExchange(request, exchange);
    reply.header(HEADERS.gateway, this.options.services.gatewayId).header(HEADERS.requestId, request.id);
    const { socket } = request.raw;
    this.inFlight.set(socket, { request, response: reply.raw });
    // only while the request is still arriving: Node leaves the idle connection to the server's time-out
    request.raw.once("timeout", () => this.abandon(socket, new HandoffError("request_timeout")));
    const { httpVersion, headers } = request.raw;
    if (httpVersion !== "1.0" && (httpVersion !== "1.1" || headers.host === undefined))
      throw new HandoffError("malformed_http", "It is not HTTP/1.1 with a Host header.");
  }

  fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = this.problem(thrown, exchangeOf(request));
    // the rest of a refused body is not read: the connection ends with the answer
    if (!request.raw.complete || problem.code === "malformed_http") reply.header("connection", "close");
    respondProblem(reply, problem);
  }

  private problem(thrown: unknown, exchange: Exchange | null): ProblemAnswer {
    const problem = problemOf(thrown);
    if (exchange === null) return problem;
    exchange.code = problem.code;
    if (problem.cause !== null)
      this.options.logger.log("error", "request_failed", {
        request_id: exchange.requestId,
        route: exchange.route,
        code: problem.code,
        detail: problem.cause,
      });
    if (!this.options.checkAnswers || exchange.route === "unknown") return problem;
    if (isListed(ROUTES[exchange.route], problem)) return problem;
    return problemOf(new TypeError(`route ${exchange.route} does not list ${problem.code}`));
  }

  finish(request: FastifyRequest, status: number): void {
    const exchange = exchangeOf(request);
    if (exchange === null) return;
    this.options.services.metrics.count(exchange.route, status, exchange.code);
    this.options.logger.log("info", "request", {
      request_id: exchange.requestId,
      method: request.method,
      route: exchange.route,
      status,
      duration_ms: Math.round(this.options.services.clock.monotonicMs() - exchange.startedMs),
      ...(exchange.code === null ? {} : { code: exchange.code }),
      ...exchange.fields,
    });
  }

  /** Answers what Node's parser refuses, and requests that stop arriving. */
  watch(server: Server): void {
    server.on("clientError", (error, socket) => {
      if (socket instanceof Socket) this.abandon(socket, this.parserFault(error, socket));
      else socket.destroy();
    });
  }

  private parserFault(error: Error, socket: Socket): unknown {
    const code = systemCode(error);
    if (code === "ERR_HTTP_REQUEST_TIMEOUT") return error;
    const flight = this.inFlight.get(socket);
    const blob = flight !== undefined && exchangeOf(flight.request)?.route === "putBlob";
    return code === "HPE_INVALID_EOF_STATE" && blob
      ? new HandoffError("blob_length_mismatch", "The body ended early.")
      : new HandoffError("malformed_http", `${code ?? "unknown"}.`);
  }

  private abandon(socket: Socket, thrown: unknown): void {
    if (systemCode(thrown) === "ECONNRESET") return;
    const flight = this.inFlight.get(socket);
    const problem = problemOf(thrown);
    const requestId = flight?.request.id ?? this.options.services.clock.uuid();
    this.options.logger.log("warning", "connection_refused", { request_id: requestId, code: problem.code });
    this.options.services.metrics.count("unknown", problem.status, problem.code);
    const { gatewayId } = this.options.services;
    answerRaw(socket, flight?.response, { problem, requestId, gatewayId });
  }
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
