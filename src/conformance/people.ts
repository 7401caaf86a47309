import type { z } from "zod";
import { CheckerUuid, WorkerUuid } from "../../contracts/names.ts";
import { ROUTES } from "../../contracts/routes.ts";
import { RegisterCheckerAnswer, RegisterWorkerAnswer } from "../../contracts/wire/people.ts";
import { HandoffError } from "../core/error.ts";
import { narrow, readDocument } from "../core/json/read-document.ts";
import { codeOfAnswer, memberOf } from "./answer.ts";
import type { PlainAnswer } from "./exchange-once.ts";
import { shapeFault } from "./judge-shape.ts";
import type { PlayedRequest } from "./played-request.ts";

export interface PlayedWorker {
  readonly workerUuid: string;
  readonly token: string;
}
/** Who of a run may still be let in. */
export interface LeftPeople {
  /** Ids of those for whom the gateway did not say that they are revoked. */
  readonly notRevoked: string[];
  /** Names of those whose registration had an answer in which no id could be read, or none. */
  readonly notRead: string[];
}
export interface People {
  /** The worker of this name in this run; registered when it is first named, with the operator named then. */
  worker(name: string, operator?: string): Promise<PlayedWorker>;
  checkerToken(name: string): Promise<string>;
  /** Revokes the run's workers but those, and forgets them; the ids of those for whom the gateway did not say so. */
  revokeOthers(keep: readonly string[]): Promise<string[]>;
  revokeAll(): Promise<LeftPeople>;
}

type Kind = "worker" | "checker";
const KINDS = {
  worker: { register: "registerWorker", revoke: "revokeWorker", uuid: WorkerUuid },
  checker: { register: "registerChecker", revoke: "revokeChecker", uuid: CheckerUuid },
} as const;

/** The workers and checkers of a run; `administer` sends as the administrator. */
export function openPeople(
  administer: (request: Omit<PlayedRequest, "by">) => Promise<PlainAnswer>,
  gatewayId: string,
): People {
  const workers = new Map<string, Promise<PlayedWorker>>();
  const checkers = new Map<string, Promise<{ uuid: string; token: string }>>();
  const strays: { readonly kind: Kind; readonly uuid: string }[] = [];
  const notRead: string[] = [];
  const notRevoked = new Set<string>();

  /** Whoever may have been registered by an answer that cannot be used is remembered. */
  const register = async <T>(kind: Kind, schema: z.ZodType<T>, body: { name: string }): Promise<T> => {
    const { register: route, uuid } = KINDS[kind];
    const { path } = ROUTES[route];
    const answer = await administer({
      route,
      path,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    }).catch((thrown: unknown) => {
      notRead.push(body.name);
      throw thrown;
    });
    if (answer.status === 401 || answer.status === 403) throw new HandoffError("GATEWAY_UNAUTHORIZED");
    const fault = shapeFault(route, answer, gatewayId);
    const read = readDocument(schema, answer.body);
    if (fault === null && read.ok) return read.value;
    const id = narrow(uuid, memberOf(answer, `${kind}_uuid`));
    if (id.ok) strays.push({ kind, uuid: id.value });
    else if (answer.status < 400 || answer.status > 499) notRead.push(body.name);
    throw new HandoffError(
      "GATEWAY_RESPONSE_INVALID",
      `POST ${path} answered ${answer.status}: ${fault ?? `code is ${codeOfAnswer(answer)}`}.`,
    );
  };
  const registerWorker = async (name: string, operator: string | null): Promise<PlayedWorker> => {
    const body = { name: `conformance ${name}`, operator, public_key: null };
    const { worker_uuid, token } = await register("worker", RegisterWorkerAnswer, body);
    return { workerUuid: worker_uuid, token };
  };
  const registerChecker = async (name: string) => {
    const body = { name: `conformance ${name}` };
    const { checker_uuid, token } = await register("checker", RegisterCheckerAnswer, body);
    return { uuid: checker_uuid, token };
  };
  const revoke = async (kind: Kind, uuid: string): Promise<void> => {
    const route = KINDS[kind].revoke;
    const path = ROUTES[route].path.replace("{id}", uuid);
    const answer = await administer({ route, path, headers: {}, body: null }).catch(() => null);
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
    revokeOthers,
    worker: (name, operator) => {
      const known = workers.get(name) ?? registerWorker(name, operator ?? null);
      workers.set(name, known);
      return known;
    },
    checkerToken: async (name) => {
      const known = checkers.get(name) ?? registerChecker(name);
      checkers.set(name, known);
      return (await known).token;
    },
    revokeAll: async () => {
      await revokeOthers([]);
      for (const registered of checkers.values()) {
        const known = await registered.catch(() => null);
        if (known !== null) await revoke("checker", known.uuid);
      }
      for (const { kind, uuid } of strays) await revoke(kind, uuid);
      return { notRevoked: [...notRevoked], notRead };
    },
  };
}
