import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** Where a request is held: half of an upload has gone through, or the answer to a submit has come back. */
export type HeldAt = "during_upload" | "after_submit_sent";

export interface HoldingProxy {
  readonly url: string;
  /** Resolves when a request is held. */
  readonly held: Promise<void>;
  close(): Promise<void>;
}

/** An HTTP proxy before a gateway that keeps the first such request, and passes on all others. */
export async function holdingProxy(gatewayUrl: string, at: HeldAt): Promise<HoldingProxy> {
  let tell = (): void => {};
  const held = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const [method, path] = at === "during_upload" ? ["PUT", "/q/blob/"] : ["POST", "/q/submit"];
  const onward = new Set<Socket>();
  const server = createServer((request, response) => {
    const asked = request.method === method && request.url?.startsWith(path) === true;
    const passed = pass({ gatewayUrl, request, response, hold: asked ? at : null, tell });
    passed.on("socket", (socket) => void onward.add(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    held,
    close: async () => {
      for (const socket of onward) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(options: {
  gatewayUrl: string;
  request: IncomingMessage;
  response: ServerResponse;
  hold: HeldAt | null;
  tell: () => void;
}) {
  const { request, response, hold, tell } = options;
  const { method = "GET", headers, url } = request;
  const onward = forward(`${options.gatewayUrl}${url}`, { method, headers, agent: false }, (answer) => {
    if (hold !== null) return void answer.resume().on("end", tell);
    answer.on("error", () => {});
    answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
  });
  onward.on("error", () => request.socket.destroy());
  request.socket.on("close", () => onward.destroy());
  request.on("error", () => onward.destroy());
  if (hold === "during_upload") {
    let left = Math.floor(Number(headers["content-length"] ?? 0) / 2);
    request.on("data", (piece: Buffer) => {
      if (left <= 0) return;
      const half = piece.subarray(0, left);
      left -= half.byteLength;
      onward.write(half, left === 0 ? tell : () => {});
    });
  } else request.pipe(onward);
  return onward;
}
