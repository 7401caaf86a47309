import { RegisterWorkerAnswer } from "../../contracts/wire/people.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { readDocument } from "../core/json/read-document.ts";
import { exchange, openAgent, type RawAnswer } from "../gateway-client/exchange.ts";
import { readGatewayUrl } from "../gateway-client/gateway-url.ts";
import { AttemptFault } from "../gateway-client/transport-fault.ts";
import type { Subject } from "./subject.ts";

/** One plain request; a player sends each once and judges whatever comes. */
export interface PlayedRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** A worker's name, or the administrator. */
  readonly by: { readonly worker: string } | "administrator";
}
export interface PlayedWorker {
  readonly workerUuid: string;
  readonly token: string;
}
export interface Session {
  send(request: PlayedRequest): Promise<RawAnswer>;
  /** The worker of this name in this run; registered when it is first named. */
  worker(name: string): Promise<PlayedWorker>;
  moveTo(url: string): void;
  url(): string;
  /** Revokes the run's workers and frees the connections. */
  close(): Promise<void>;
}

const EXCHANGE_MS = 30_000;
const CAP_BYTES = 8 * 1024 * 1024;

export function openSession(subject: Subject, clock: Clock): Session {
  const agent = openAgent();
  const workers = new Map<string, Promise<PlayedWorker>>();
  let url = readGatewayUrl(subject.url, subject.allowInsecure);
  const exchangeOnce = async (request: Omit<PlayedRequest, "by">, token: string): Promise<RawAnswer> => {
    const deadline = new AbortController();
    const idle = new AbortController();
    const late = clock.sleep(EXCHANGE_MS, idle.signal).then(
      () => deadline.abort(new HandoffError("GATEWAY_TIMEOUT", request.path)),
      () => {},
    );
    try {
      return await exchange(agent, {
        origin: url.origin,
        path: `${url.base}${request.path}`,
        method: request.method,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
        body: request.body,
        capBytes: CAP_BYTES,
        sink: null,
        signal: deadline.signal,
      });
    } catch (thrown) {
      throw thrown instanceof AttemptFault ? thrown.error : thrown;
    } finally {
      idle.abort();
      await late;
    }
  };
  const administer = (path: string, body: unknown): Promise<RawAnswer> =>
    exchangeOnce(
      {
        method: "POST",
        path,
        headers: body === null ? {} : { "content-type": "application/json" },
        body: body === null ? null : Buffer.from(JSON.stringify(body)),
      },
      subject.adminToken,
    );
  const register = async (name: string): Promise<PlayedWorker> => {
    const answer = await administer("/q/worker", {
      name: `conformance ${name}`,
      operator: null,
      public_key: null,
    });
    if (answer.status === 401 || answer.status === 403) throw new HandoffError("GATEWAY_UNAUTHORIZED");
    const read = readDocument(RegisterWorkerAnswer, answer.body);
    if (!read.ok) throw new HandoffError("GATEWAY_RESPONSE_INVALID", `It answered ${answer.status}.`);
    return { workerUuid: read.value.worker_uuid, token: read.value.token };
  };
  const worker = (name: string): Promise<PlayedWorker> => {
    const known = workers.get(name) ?? register(name);
    workers.set(name, known);
    return known;
  };
  return {
    worker,
    send: async (request) =>
      exchangeOnce(
        request,
        request.by === "administrator" ? subject.adminToken : (await worker(request.by.worker)).token,
      ),
    moveTo: (next) => {
      url = readGatewayUrl(next, subject.allowInsecure);
    },
    url: () => `${url.origin}${url.base}`,
    close: async () => {
      try {
        for (const registered of workers.values()) {
          const known = await registered.catch(() => null);
          if (known !== null) await administer(`/q/worker/${known.workerUuid}/revoke`, null);
        }
      } finally {
        await agent.destroy();
      }
    },
  };
}
