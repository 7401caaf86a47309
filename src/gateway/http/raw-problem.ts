import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { HEADERS } from "../../../contracts/routes.ts";
import { PROBLEM_MEDIA_TYPE, type ProblemAnswer } from "./problem.ts";

export interface RawAnswer {
  readonly problem: ProblemAnswer;
  readonly requestId: string;
  readonly gatewayId: string;
}

/**
 * Answers with a problem on a connection that Node's parser gave up on, and closes it. Nothing is written
 * once an answer has begun: half of one and a second would be read as one.
 */
export function answerRaw(
  socket: Socket,
  response: ServerResponse | undefined,
  { problem, requestId, gatewayId }: RawAnswer,
): void {
  if (!socket.writable || (response?.headersSent === true && !response.writableFinished)) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(problem.body);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}`,
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${HEADERS.gateway}: ${gatewayId}`,
    `${HEADERS.requestId}: ${requestId}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
  ];
  // destroySoon: ends after the bytes are out, and does not wait for the other side
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroySoon());
}
