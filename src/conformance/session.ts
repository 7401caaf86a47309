import { WellKnown } from "../../contracts/documents/records.ts";
import { ROUTES } from "../../contracts/routes.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { readDocument } from "../core/json/read-document.ts";
import { readGatewayUrl } from "../gateway-client/gateway-url.ts";
import { exchangeOnce, type PlainAnswer } from "./exchange-once.ts";
import { type LeftPeople, openPeople, type People } from "./people.ts";
import type { PlayedRequest } from "./played-request.ts";
import type { Subject } from "./subject.ts";

export interface Session extends Pick<People, "worker" | "revokeOthers"> {
  /** As `/.well-known/render-handoff` tells it. */
  readonly gatewayId: string;
  send(request: PlayedRequest): Promise<PlainAnswer>;
  moveTo(url: string): void;
  url(): string;
  /** Revokes the run's workers and checkers. */
  close(): Promise<LeftPeople>;
}

/** Asks the gateway for its name. Throws GATEWAY_RESPONSE_INVALID and what one exchange throws. */
export async function openSession(subject: Subject, clock: Clock): Promise<Session> {
  let url = readGatewayUrl(subject.url, subject.allowInsecure);
  const send = ({ route, path, ...rest }: Omit<PlayedRequest, "by">, token: string): Promise<PlainAnswer> =>
    exchangeOnce(
      {
        ...rest,
        method: ROUTES[route].method,
        url: `${url.origin}${url.base}${path}`,
        headers: { ...rest.headers, authorization: `Bearer ${token}` },
      },
      clock,
    );
  const gatewayId = await identify((request) => send(request, subject.adminToken));
  const people = openPeople((request) => send(request, subject.adminToken), gatewayId);
  const tokenOf = async (by: PlayedRequest["by"]): Promise<string> => {
    if (by === "administrator") return subject.adminToken;
    return "worker" in by ? (await people.worker(by.worker)).token : people.checkerToken(by.checker);
  };
  return {
    gatewayId,
    worker: people.worker,
    revokeOthers: people.revokeOthers,
    send: async (request) => send(request, await tokenOf(request.by)),
    moveTo: (next) => {
      url = readGatewayUrl(next, subject.allowInsecure);
    },
    url: () => `${url.origin}${url.base}`,
    close: people.revokeAll,
  };
}

async function identify(send: (request: Omit<PlayedRequest, "by">) => Promise<PlainAnswer>): Promise<string> {
  const { path } = ROUTES.wellKnown;
  const answer = await send({ route: "wellKnown", path, headers: {}, body: null });
  const read = readDocument(WellKnown, answer.body);
  if (read.ok) return read.value.gateway_id;
  throw new HandoffError(
    "GATEWAY_RESPONSE_INVALID",
    `GET ${path} answered ${answer.status}: ${read.path} ${read.problem}.`,
  );
}
