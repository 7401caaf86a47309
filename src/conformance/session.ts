import { RegisterCheckerAnswer, RegisterWorkerAnswer } from "../../contracts/wire/people.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { readDocument } from "../core/json/read-document.ts";
import { readGatewayUrl } from "../gateway-client/gateway-url.ts";
import { exchangeOnce, type PlainAnswer } from "./exchange-once.ts";
import type { Subject } from "./subject.ts";

/** One plain request; a player sends each once and judges whatever comes. */
export interface PlayedRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** A worker's or a checker's name, or the administrator. */
  readonly by: { readonly worker: string } | { readonly checker: string } | "administrator";
}
export interface PlayedWorker {
  readonly workerUuid: string;
  readonly token: string;
}
export interface Session {
  send(request: PlayedRequest): Promise<PlainAnswer>;
  /** The worker of this name in this run; registered when it is first named, with the operator named then. */
  worker(name: string, operator?: string): Promise<PlayedWorker>;
  /** Revokes the run's workers but those, and forgets them; the ids of those for whom the gateway did not say so. */
  revokeOthers(keep: readonly string[]): Promise<string[]>;
  moveTo(url: string): void;
  url(): string;
  /** Revokes the run's workers and checkers; the ids of those for whom the gateway did not say so. */
  close(): Promise<string[]>;
}

export function openSession(subject: Subject, clock: Clock): Session {
  const workers = new Map<string, Promise<PlayedWorker>>();
  const checkers = new Map<string, Promise<{ checkerUuid: string; token: string }>>();
  let url = readGatewayUrl(subject.url, subject.allowInsecure);
  const send = (request: Omit<PlayedRequest, "by">, token: string): Promise<PlainAnswer> =>
    exchangeOnce(
      {
        method: request.method,
        url: `${url.origin}${url.base}${request.path}`,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
        body: request.body,
      },
      clock,
    );
  const administer = (path: string, body: unknown): Promise<PlainAnswer> =>
    send(
      {
        method: "POST",
        path,
        headers: body === null ? {} : { "content-type": "application/json" },
        body: body === null ? null : Buffer.from(JSON.stringify(body)),
      },
      subject.adminToken,
    );
  const register = async (name: string, operator: string | null): Promise<PlayedWorker> => {
    const answer = await administer("/q/worker", {
      name: `conformance ${name}`,
      operator,
      public_key: null,
    });
    if (answer.status === 401 || answer.status === 403) throw new HandoffError("GATEWAY_UNAUTHORIZED");
    const read = readDocument(RegisterWorkerAnswer, answer.body);
    if (!read.ok) throw new HandoffError("GATEWAY_RESPONSE_INVALID", `It answered ${answer.status}.`);
    return { workerUuid: read.value.worker_uuid, token: read.value.token };
  };
  const registerChecker = async (name: string) => {
    const answer = await administer("/q/checker", { name: `conformance ${name}` });
    const read = readDocument(RegisterCheckerAnswer, answer.body);
    if (!read.ok) throw new HandoffError("GATEWAY_RESPONSE_INVALID", `It answered ${answer.status}.`);
    return { checkerUuid: read.value.checker_uuid, token: read.value.token };
  };
  const tokenOf = async (by: PlayedRequest["by"]): Promise<string> => {
    if (by === "administrator") return subject.adminToken;
    if ("worker" in by) return (await worker(by.worker)).token;
    const known = checkers.get(by.checker) ?? registerChecker(by.checker);
    checkers.set(by.checker, known);
    return (await known).token;
  };
  const worker = (name: string, operator?: string): Promise<PlayedWorker> => {
    const known = workers.get(name) ?? register(name, operator ?? null);
    workers.set(name, known);
    return known;
  };
  const notRevoked = new Set<string>();
  const revoke = async (kind: "worker" | "checker", uuid: string): Promise<void> => {
    const answer = await administer(`/q/${kind}/${uuid}/revoke`, null).catch(() => null);
    if (answer?.status !== 200) notRevoked.add(uuid);
  };
  const revokeOthers = async (keep: readonly string[]): Promise<string[]> => {
    for (const [name, registered] of workers) {
      if (keep.includes(name)) continue;
      const known = await registered.catch(() => null);
      if (known !== null) await revoke("worker", known.workerUuid);
      workers.delete(name);
    }
    return [...notRevoked];
  };
  return {
    worker,
    revokeOthers,
    send: async (request) => send(request, await tokenOf(request.by)),
    moveTo: (next) => {
      url = readGatewayUrl(next, subject.allowInsecure);
    },
    url: () => `${url.origin}${url.base}`,
    close: async () => {
      await revokeOthers([]);
      for (const registered of checkers.values()) {
        const known = await registered.catch(() => null);
        if (known !== null) await revoke("checker", known.checkerUuid);
      }
      return [...notRevoked];
    },
  };
}
