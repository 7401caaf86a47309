import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { TestGateway } from "../../support/gateway.ts";

export interface Trickle {
  readonly socket: Socket;
  /** Everything that came back until the gateway closed the connection. */
  readonly answer: Promise<string>;
}

/** A connection of a client that sends what it likes. */
export function dial(gateway: TestGateway, first = ""): Trickle {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  // a reset by the gateway is an end too
  socket.on("error", () => {});
  const answer = new Promise<string>((resolve) => socket.on("close", () => resolve(text)));
  socket.write(first);
  return { socket, answer };
}

/** One byte each so often until the other side closes. */
export function drip(socket: Socket, byte: string, milliseconds: number): void {
  const timer = setInterval(() => socket.write(byte), milliseconds);
  socket.on("close", () => clearInterval(timer));
}
