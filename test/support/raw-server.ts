import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export const GATEWAY_ID = "g_00000000-0000-4000-8000-000000000001";

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}
export interface RawServer {
  readonly url: string;
  readonly seen: Seen[];
}
type Answer = (seen: Seen, answer: ServerResponse, request: IncomingMessage) => void;

/** A real HTTP server of this test: answers[n] answers the n-th request, the last one all further ones. */
export async function rawServer(...answers: Answer[]): Promise<RawServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      seen.push(one);
      response.setHeader("render-handoff-gateway", GATEWAY_ID);
      answers[Math.min(seen.length, answers.length) - 1]?.(one, response, request);
    });
  });
  return { url: await listen(server), seen };
}

/** A server that speaks bytes: `serve` gets each connection once its first bytes are there. */
export async function socketServer(
  serve: (socket: Socket, connection: number) => void,
): Promise<{ url: string }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    connections += 1;
    const connection = connections;
    socket.on("error", () => {});
    socket.once("data", () => serve(socket, connection));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { url: await listen(server) };
}

async function listen(server: Server | ReturnType<typeof createNetServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address() as AddressInfo;
  return `http://127.0.0.1:${address.port}`;
}

/** Answers with a JSON document. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** Answers with a problem document of a wire code. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { type: `urn:render-handoff:error:${code}`, title: code, status }, headers);

/** Takes the request and breaks the connection. */
export const cut: Answer = (_, __, request) => request.socket.destroy();
