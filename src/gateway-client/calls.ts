import type { z } from "zod";
import { LIMITS } from "../../contracts/limits.ts";
import { ROUTES, type RouteName } from "../../contracts/routes.ts";
import { HandoffError } from "../core/error.ts";
import { readDocument } from "../core/json/read-document.ts";
import type { RawAnswer, Sink } from "./exchange.ts";
import { type Answer, operate } from "./operate.ts";
import type { Session } from "./session.ts";
import { AttemptFault } from "./transport-fault.ts";

export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON body, exact bytes, or a stream: at most one of the three. */
  readonly body?: unknown;
  readonly raw?: Uint8Array;
  readonly stream?: () => AsyncGenerator<Uint8Array>;
  readonly openSink?: () => Promise<Sink>;
  /** Size of the body that is streamed either way. */
  readonly transferBytes?: number;
  readonly capBytes?: number;
  readonly attempts?: number;
  readonly absentIsAnswer?: boolean;
}

export interface Calls {
  call<T>(route: RouteName, call: Call, read: (answer: RawAnswer) => T | Promise<T>): Promise<Answer<T>>;
  json<T>(route: RouteName, schema: z.ZodType<T>, call: Call): Promise<Answer<T>>;
  bytes(route: RouteName, call: Call): Promise<Answer<Buffer>>;
  /** Narrows an answer's body; throws AttemptFault with GATEWAY_RESPONSE_INVALID. */
  narrow<T>(schema: z.ZodType<T>, body: Uint8Array): T;
}

/** Makes operations out of the table of routes. */
export function openCalls(session: Session): Calls {
  const call: Calls["call"] = (name, options, read) => {
    const route = ROUTES[name];
    const transfer = Math.ceil((options.transferBytes ?? 0) / LIMITS.slowestBytesPerSecond) * 1_000;
    const body = options.stream ?? options.raw ?? jsonBytes(options.body);
    return operate(session, {
      route: name,
      method: route.method,
      path: pathOf(route.path, options),
      headers: {
        accept: "application/json, application/problem+json, */*",
        ...(body instanceof Uint8Array ? { "content-type": "application/json" } : {}),
        ...options.headers,
      },
      body,
      capBytes: options.capBytes ?? LIMITS.jsonBytes,
      totalMs: LIMITS.exchangeMs + transfer,
      attempts: options.attempts ?? LIMITS.transportAttempts,
      openSink: options.openSink ?? null,
      absentIsAnswer: options.absentIsAnswer ?? false,
      read,
    });
  };
  return {
    call,
    narrow,
    json: (route, schema, options) => call(route, options, (answer) => narrow(schema, answer.body)),
    bytes: (route, options) => call(route, options, (answer) => answer.body),
  };
}

const jsonBytes = (value: unknown): Buffer | null =>
  value === undefined ? null : Buffer.from(JSON.stringify(value), "utf8");

function pathOf(template: string, call: Call): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.params?.[name] ?? ""),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function narrow<T>(schema: z.ZodType<T>, body: Uint8Array): T {
  const read = readDocument(schema, body);
  if (read.ok) return read.value;
  const where = read.path === "" ? read.problem : `${read.path}: ${read.problem}`;
  throw new AttemptFault(new HandoffError("GATEWAY_RESPONSE_INVALID", where), false);
}
