import type { Readable } from "node:stream";
import { LIMITS } from "../../contracts/limits.ts";
import { HandoffError } from "../core/error.ts";
import { Agent, type AgentType, type Dispatcher, requestThrough } from "../core/undici.ts";
import { AttemptFault, transportFault } from "./transport-fault.ts";

/** Takes the body of a 200 as it comes; errors that it throws are the machine's, not the gateway's. */
export interface Sink {
  write(chunk: Buffer): Promise<void>;
}

export interface Exchange {
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Blocks are made anew for each attempt. One may be in the memory of the one before it, as those of a file
   * are, when it is not smaller than a socket's buffer: it is written out before the next is asked for.
   */
  readonly body: Uint8Array | (() => AsyncGenerator<Uint8Array>) | null;
  /** Cap of a body that is kept in memory. */
  readonly capBytes: number;
  readonly sink: Sink | null;
  /** Milliseconds that the whole exchange has, by the signal. */
  readonly totalMs: number;
  readonly signal: AbortSignal;
}

/** One complete answer; `body` is empty where a sink took it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * The one way out: HTTP/1.1, no redirects, no proxy of the environment, time-outs. Connections are not
 * reused: a server may close an idle one in the moment in which a POST is written to it.
 */
export const openAgent = (): AgentType =>
  new Agent({
    allowH2: false,
    pipelining: 0,
    connect: { timeout: LIMITS.connectMs },
    headersTimeout: LIMITS.headersMs,
    bodyTimeout: LIMITS.idleMs,
  });

/** Sends once and reads the whole answer. Throws AttemptFault, the signal's reason, or the machine's error. */
export async function exchange(agent: Dispatcher, request: Exchange): Promise<RawAnswer> {
  const local: unknown[] = [];
  const blocks = typeof request.body === "function" ? noting(request.body(), local) : null;
  try {
    const answer = await requestThrough(agent, {
      origin: request.origin,
      path: request.path,
      method: request.method,
      headers: request.headers,
      body: blocks ?? (request.body instanceof Uint8Array ? request.body : null),
      signal: request.signal,
      // after the last byte of a blob the gateway may have to carry it on: then only the whole time counts
      ...(blocks === null ? {} : { headersTimeout: request.totalMs }),
    });
    // a body that is given up emits an error on its own
    answer.body.on("error", () => {});
    const sink = answer.statusCode === 200 ? request.sink : null;
    const body = await take({ body: answer.body, sink, capBytes: request.capBytes, local });
    return { status: answer.statusCode, headers: answer.headers, body };
  } catch (thrown) {
    if (local.length > 0) throw local[0];
    request.signal.throwIfAborted();
    throw transportFault(thrown);
  } finally {
    await blocks?.return();
  }
}

/** The same blocks; an error while one is made is the machine's. */
async function* noting(
  blocks: AsyncGenerator<Uint8Array>,
  local: unknown[],
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* blocks;
  } catch (thrown) {
    local.push(thrown);
    throw thrown;
  }
}

async function take(options: {
  body: Readable;
  sink: Sink | null;
  capBytes: number;
  local: unknown[];
}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of options.body) {
    const bytes: Buffer = chunk;
    if (options.sink !== null) {
      await options.sink.write(bytes).catch((thrown: unknown) => {
        options.local.push(thrown);
        throw thrown;
      });
      continue;
    }
    size += bytes.byteLength;
    if (size > options.capBytes) {
      options.body.destroy();
      throw new AttemptFault(
        new HandoffError("GATEWAY_RESPONSE_TOO_LARGE", `over ${options.capBytes} bytes`),
        false,
      );
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** A header that stands once; null when it is absent or doubled. */
export function header(answer: RawAnswer, name: string): string | null {
  const value = answer.headers[name];
  return typeof value === "string" ? value : null;
}
