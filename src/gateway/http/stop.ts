import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../core/clock.ts";

/** Connections of a server that are open, from before their TLS handshake on. */
export function openSockets(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

export interface Stopping {
  readonly sockets: ReadonlySet<Socket>;
  readonly clock: Pick<Clock, "sleep">;
  /** For requests in flight. */
  readonly closeMs: number;
}

/** No new connections; requests in flight finish; what is left after the time is cut. */
export async function stop(server: Server, { sockets, clock, closeMs }: Stopping): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const waiting = new AbortController();
  const deadline = clock.sleep(closeMs, waiting.signal).then(
    () => {
      // not closeAllConnections: it does not know those whose handshake is not over
      for (const socket of sockets) socket.destroy();
    },
    () => {},
  );
  await done;
  waiting.abort();
  await deadline;
}
