import { once } from "node:events";
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";

export interface Passing {
  readonly method: string;
  readonly path: string;
  /** How many requests of this method and path's first two parts came before. */
  readonly before: number;
}
export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
/** Makes a lie of the gateway's own answer to a request with this body. */
export type Alter = (answer: ProxiedAnswer, sent: Buffer) => ProxiedAnswer;
/**
 * What happens to a request: passed on, its answer lost after the gateway acted, the connection cut before it
 * did, left hanging, its answer altered on the way, or answered by the test.
 */
export type Fate =
  | "pass"
  | "lose"
  | "cut"
  | "hang"
  | Alter
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string | Buffer };

export interface FaultProxy {
  readonly url: string;
  /** `POST /q/claim` and so on, in order. */
  readonly seen: string[];
}

/** An HTTP proxy in front of a real gateway that does to each request what `decide` says. */
async function faultProxy(gatewayUrl: string, decide: (passing: Passing) => Fate): Promise<FaultProxy> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const kind = `${request.method} ${path.split("/").slice(0, 3).join("/")}`;
    const before = seen.filter((one) => one === kind).length;
    seen.push(kind);
    const fate = decide({ method: request.method ?? "", path, before });
    if (fate === "cut") request.socket.destroy();
    else if (fate === "hang") request.resume();
    else if (typeof fate === "function") void alter(gatewayUrl, { request, response }, fate);
    else if (fate === "pass" || fate === "lose") pass(gatewayUrl, request, fate === "lose" ? null : response);
    else {
      request.resume();
      response.writeHead(fate.status, fate.headers ?? {});
      response.end(fate.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

function pass(gatewayUrl: string, request: IncomingMessage, response: ServerResponse | null): void {
  const { method, headers } = request;
  const onward = forward(
    `${gatewayUrl}${request.url}`,
    { method: method ?? "GET", headers, agent: false },
    (answer) => {
      answer.on("error", () => {});
      if (response === null) answer.resume().on("end", () => request.socket.destroy());
      else answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
    },
  );
  onward.on("error", () => request.socket.destroy());
  request.pipe(onward);
}

async function alter(
  gatewayUrl: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  lie: Alter,
): Promise<void> {
  try {
    const sent = await bytesOf(request);
    const { method = "GET", headers } = request;
    const onward = forward(`${gatewayUrl}${request.url}`, { method, headers, agent: false });
    onward.end(sent);
    const [answer]: IncomingMessage[] = await once(onward, "response");
    if (answer === undefined) throw new Error("no answer");
    const body = await bytesOf(answer);
    const told = lie({ status: answer.statusCode ?? 500, headers: answer.headers, body }, sent);
    response.writeHead(told.status, { ...told.headers, "content-length": told.body.byteLength });
    response.end(told.body);
  } catch {
    request.socket.destroy();
  }
}

const bytesOf = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** A real gateway and such a proxy before it. */
export async function behindProxy(
  decide: (passing: Passing, gateway: TestGateway) => Fate,
): Promise<{ gateway: TestGateway; proxy: FaultProxy }> {
  const gateway = await startGateway();
  return { gateway, proxy: await faultProxy(gateway.url, (passing) => decide(passing, gateway)) };
}

/** An answer that looks like the gateway's own. */
export const answered = (gateway: TestGateway, status: number, body: string): Fate => ({
  status,
  headers: { "render-handoff-gateway": gateway.gatewayId },
  body,
});

/** A problem document of a wire code, as the gateway would send it. */
export const refused = (
  gateway: TestGateway,
  refusal: { status: number; code: string; retryAfter?: string },
): Fate => ({
  status: refusal.status,
  headers: {
    "content-type": "application/problem+json",
    "render-handoff-gateway": gateway.gatewayId,
    ...(refusal.retryAfter === undefined ? {} : { "retry-after": refusal.retryAfter }),
  },
  body: JSON.stringify({
    type: `urn:render-handoff:error:${refusal.code}`,
    title: refusal.code,
    status: refusal.status,
  }),
});
