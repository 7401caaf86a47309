import type { Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LIMITS } from "../../../contracts/limits.ts";
import { HEADERS, ROUTES } from "../../../contracts/routes.ts";
import { STEP_OF_ROUTE } from "../../../contracts/telemetry.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError, systemCode } from "../../core/error.ts";
import type { Logger } from "../../core/logger.ts";
import { Arriving } from "./arriving.ts";
import type { Services } from "./call.ts";
import { type Exchange, exchangeOf, startExchange } from "./exchange.ts";
import type { Timeouts } from "./listener.ts";
import { type ProblemAnswer, problemOf } from "./problem.ts";
import { answerRaw } from "./raw-problem.ts";
import { isListed, respondProblem } from "./respond.ts";

export interface ServingOptions {
  readonly services: Services;
  readonly checkAnswers: boolean;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What happens around every request, and on connections without one: problems, log lines, metrics. */
export class Serving {
  private readonly options: ServingOptions;
  private readonly inFlight = new WeakMap<Socket, { request: FastifyRequest; response: ServerResponse }>();

  private readonly arriving: Arriving;

  constructor(options: ServingOptions) {
    this.options = options;
    this.arriving = new Arriving(options.clock, options.timeouts.bodyMs, ({ socket }) =>
      this.abandon(socket, new HandoffError("request_timeout")),
    );
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    startExchange(request, {
      requestId: request.id,
      startedMs: this.options.clock.monotonicMs(),
      route: "unknown",
      principal: null,
      code: null,
      finished: false,
      fields: {},
    });
    reply.header(HEADERS.gateway, this.options.services.gatewayId).header(HEADERS.requestId, request.id);
    const { socket } = request.raw;
    this.inFlight.set(socket, { request, response: reply.raw });
    // only while the request is still arriving: Node leaves the idle connection to the server's time-out
    request.raw.once("timeout", () => this.abandon(socket, new HandoffError("request_timeout")));
    // a handler may be silent for longer than a client: a store of blobs reads back what it was given
    reply.raw.on("timeout", () => {
      if (reply.raw.headersSent) socket.destroy();
    });
    this.expectBody(request);
    const { httpVersion, headers } = request.raw;
    if (httpVersion !== "1.0" && (httpVersion !== "1.1" || headers.host === undefined))
      throw new HandoffError("malformed_http", "It is not HTTP/1.1 with a Host header.");
  }

  fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = this.problem(thrown, exchangeOf(request));
    if (problem.code === "malformed_http") reply.header("connection", "close");
    else if (!request.raw.complete) this.linger(request, reply);
    respondProblem(reply, problem);
  }

  /** Logs and counts a request once, however it ended. */
  finish(request: FastifyRequest, status: number): void {
    const exchange = exchangeOf(request);
    if (exchange === null || exchange.finished) return;
    exchange.finished = true;
    const elapsed = this.options.clock.monotonicMs() - exchange.startedMs;
    this.options.services.metrics.answered({
      route: exchange.route,
      status,
      code: exchange.code,
      seconds: exchange.route === "events" ? null : elapsed / 1_000,
    });
    const step = exchange.route === "unknown" ? undefined : STEP_OF_ROUTE[exchange.route];
    this.options.logger.log("info", "request", {
      request_id: exchange.requestId,
      method: request.method,
      route: exchange.route,
      status,
      duration_ms: Math.round(elapsed),
      ...(step === undefined ? {} : { step }),
      ...(exchange.code === null ? {} : { code: exchange.code }),
      ...exchange.fields,
    });
  }

  /** Answers what Node's parser refuses, and requests that stop arriving. */
  watch(server: Server): void {
    server.on("close", () => this.arriving.stop());
    server.on("drop", () => {
      this.options.logger.log("warning", "connection_dropped", { detail: "too many connections" });
    });
    server.on("clientError", (error, socket) => {
      // a failed TLS handshake has nobody to talk HTTP to
      const tls = /^(ERR_SSL|ERR_TLS|EPROTO)/.test(systemCode(error) ?? "");
      if (socket instanceof Socket && !tls) this.abandon(socket, this.parserFault(error, socket));
      else socket.destroy();
    });
  }

  /** A body that trickles in, however steadily, is given up on (request_timeout). */
  private expectBody({ raw }: FastifyRequest): void {
    const { "content-length": length, "transfer-encoding": coding } = raw.headers;
    const bytes = Number(length ?? 0);
    if (!(bytes > 0) && coding === undefined) return;
    const milliseconds = this.options.timeouts.bodyMs + (bytes / LIMITS.slowestBytesPerSecond) * 1_000;
    this.arriving.expect(raw, milliseconds);
  }

  /**
   * After an early refusal Node reads on and discards, so that the client sees the answer and not a reset;
   * but not for ever.
   */
  private linger({ raw }: FastifyRequest, reply: FastifyReply): void {
    const closed = new AbortController();
    raw.socket.once("close", () => closed.abort());
    raw.once("end", () => closed.abort());
    reply.raw.once("finish", () => {
      // Node does so by itself only where nobody had begun to read
      raw.resume();
      this.options.clock.sleep(this.options.timeouts.lingerMs, closed.signal).then(
        () => {
          if (!raw.complete) raw.socket.destroy();
        },
        () => {},
      );
    });
  }

  private problem(thrown: unknown, exchange: Exchange | null): ProblemAnswer {
    const problem = this.listed(problemOf(thrown), exchange);
    if (exchange === null) return problem;
    exchange.code = problem.code;
    if (problem.cause !== null)
      this.options.logger.log("error", "request_failed", {
        request_id: exchange.requestId,
        route: exchange.route,
        code: problem.code,
        detail: problem.cause,
      });
    return problem;
  }

  /** The problem, or internal_error where the check of answers finds a code that its route does not list. */
  private listed(problem: ProblemAnswer, exchange: Exchange | null): ProblemAnswer {
    if (!this.options.checkAnswers || exchange === null || exchange.route === "unknown") return problem;
    if (isListed(ROUTES[exchange.route], problem)) return problem;
    return problemOf(new TypeError(`route ${exchange.route} does not list ${problem.code}`));
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
    const flight = this.inFlight.get(socket);
    const problem = problemOf(thrown);
    const requestId = flight?.request.id ?? this.options.clock.uuid();
    this.options.logger.log("warning", "connection_refused", { request_id: requestId, code: problem.code });
    const { status, code } = problem;
    const exchange = flight === undefined ? null : exchangeOf(flight.request);
    if (flight === undefined || exchange === null || exchange.finished)
      this.options.services.metrics.answered({ route: "unknown", status, code, seconds: null });
    else {
      exchange.code = code;
      this.finish(flight.request, status);
    }
    const { gatewayId } = this.options.services;
    answerRaw(socket, flight?.response, { problem, requestId, gatewayId });
  }
}
