import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { sha256 } from "../../../src/core/digest.ts";
import { startGateway, type TestGateway, type TestWorker } from "../../support/gateway.ts";
import { BUNDLE, putSampleJob, sampleJob } from "../../support/gateway-job.ts";

export const DATA = Buffer.from("0123456789");
export const path = (bytes: Buffer): string => `/q/blob/${sha256(bytes)}`;
export const put = (gateway: TestGateway, bytes: Buffer, headers: Record<string, string> = {}) =>
  gateway.call(path(bytes), { method: "PUT", body: bytes, headers });

/** Files under the blobs folder, staged ones too. */
export const files = (gateway: TestGateway): string[] =>
  readdirSync(join(gateway.dataFolder, "blobs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

export async function holding(change = {}): Promise<{ gateway: TestGateway; worker: TestWorker }> {
  const gateway = await startGateway();
  await putSampleJob(gateway, sampleJob(change));
  const worker = await gateway.registerWorker();
  await gateway.call("/q/claim", {
    method: "POST",
    token: worker.token,
    body: { task_id: "shot-1.a", worker_id: worker.workerUuid },
  });
  return { gateway, worker };
}
export const upload = (
  gateway: TestGateway,
  worker: TestWorker,
  { bytes = BUNDLE, fence = "1", task = "shot-1.a" } = {},
) =>
  gateway.call(path(bytes), {
    method: "PUT",
    token: worker.token,
    body: bytes,
    headers: { "task-id": task, "fencing-token": fence },
  });

/** Five of ten announced bytes, then the end of the stream, or a reset. */
export function half(gateway: TestGateway, reset = false): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
    socket.write(
      `PUT ${path(DATA)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.adminToken}\r\n` +
        "Content-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\n01234",
    );
    const staged = setInterval(() => {
      if (files(gateway).length === 0) return;
      clearInterval(staged);
      if (reset) socket.resetAndDestroy();
      else socket.end();
    }, 5);
  });
}

/** A worker's upload of a task of nobody that announces much, sends little and waits for the end. */
export function stalled(gateway: TestGateway, token: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer));
    socket.write(
      `PUT ${path(DATA)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        "Task-Id: none\r\nFencing-Token: 1\r\nContent-Length: 1000000\r\n\r\n01234",
    );
  });
}
