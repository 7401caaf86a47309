import { type IncomingHttpHeaders, type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import type { ErrorCode } from "../../contracts/catalogue.ts";
import type { Route } from "../../contracts/wire/route.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError, systemCode } from "../core/error.ts";

// node:http and not the client of the product: a judge that is independent of it, and 25 MB less

export interface PlainRequest {
  readonly url: string;
  readonly method: Route["method"];
  /** A list is sent as that many headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | null;
  /** Nothing more is sent behind the body, whatever length was stated. */
  readonly cut?: boolean | undefined;
  /** Of an answer without an end: whether what has come so far is enough. */
  readonly enough?: ((soFar: Buffer) => boolean) | undefined;
}
export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const EXCHANGE_MS = 30_000;
const CAP_BYTES = 8 * 1024 * 1024;

/**
 * Sends once on a connection of its own and reads the whole answer. Throws GATEWAY_UNREACHABLE,
 * GATEWAY_CONNECTION_LOST, GATEWAY_TIMEOUT or GATEWAY_RESPONSE_TOO_LARGE.
 */
export async function exchangeOnce(request: PlainRequest, clock: Clock): Promise<PlainAnswer> {
  const late = new AbortController();
  const over = new AbortController();
  clock.sleep(EXCHANGE_MS, over.signal).then(
    () => late.abort(),
    () => {},
  );
  try {
    return await sendOnce(request, late.signal);
  } finally {
    over.abort();
  }
}

/** For an exchange that may end with this code: then it has no answer. */
export const noneWhere =
  (code: ErrorCode) =>
  (thrown: unknown): null => {
    if (thrown instanceof HandoffError && thrown.code === code) return null;
    throw thrown;
  };

function sendOnce(request: PlainRequest, signal: AbortSignal): Promise<PlainAnswer> {
  const { url, method, body } = request;
  const send = url.startsWith("https:") ? secure : plain;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value : [...value],
    ]),
  );
  return new Promise((resolve, reject) => {
    const exchange = send(url, { method, headers, agent: false, signal }, (answer) => {
      readAll(answer, request.enough).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
        (thrown: unknown) => {
          exchange.destroy();
          reject(faultOf(thrown, signal));
        },
      );
    });
    exchange.on("error", (thrown) => reject(faultOf(thrown, signal)));
    if (request.cut === true) exchange.write(body, () => exchange.socket?.end());
    else exchange.end(body ?? undefined);
  });
}

async function readAll(answer: IncomingMessage, enough: PlainRequest["enough"]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    const bytes: Buffer = chunk;
    size += bytes.byteLength;
    if (size > CAP_BYTES) throw new HandoffError("GATEWAY_RESPONSE_TOO_LARGE", `over ${CAP_BYTES} bytes`);
    chunks.push(bytes);
    // leaving the loop closes the connection
    if (enough?.(Buffer.concat(chunks)) === true) break;
  }
  return Buffer.concat(chunks);
}

const UNREACHABLE = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function faultOf(thrown: unknown, signal: AbortSignal): HandoffError {
  if (thrown instanceof HandoffError) return thrown;
  if (signal.aborted) return new HandoffError("GATEWAY_TIMEOUT", `(${EXCHANGE_MS} ms)`);
  const code = systemCode(thrown) ?? "unknown";
  return new HandoffError(
    UNREACHABLE.has(code) ? "GATEWAY_UNREACHABLE" : "GATEWAY_CONNECTION_LOST",
    `${code}.`,
    { cause: thrown },
  );
}
