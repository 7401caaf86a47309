import { ProvenanceGraph } from "../../contracts/documents/provenance-graph.ts";
import { Receipt } from "../../contracts/documents/receipt.ts";
import { CheckerRecord, TaskRecord, WellKnown, WorkerRecord } from "../../contracts/documents/records.ts";
import type { Verdict } from "../../contracts/documents/verdict.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { HEADERS } from "../../contracts/routes.ts";
import * as people from "../../contracts/wire/people.ts";
import * as queue from "../../contracts/wire/queue.ts";
import * as upkeep from "../../contracts/wire/upkeep.ts";
import { VerdictAnswer } from "../../contracts/wire/verdict.ts";
import type { Clock } from "../core/clock.ts";
import { readBlocks } from "../core/files/read-blocks.ts";
import type { Logger } from "../core/logger.ts";
import { type Calls, openCalls } from "./calls.ts";
import { fileTarget } from "./download-blob.ts";
import { header, openAgent } from "./exchange.ts";
import { type GatewayUrl, readGatewayUrl } from "./gateway-url.ts";
import type { HostGate } from "./host-gate.ts";
import type { Answer } from "./operate.ts";
import type { ExchangeRecord, Session } from "./session.ts";

export type { Answer } from "./operate.ts";
export type { ExchangeRecord } from "./session.ts";

export interface GatewayClientOptions {
  readonly url: string;
  readonly token: string | null;
  readonly allowInsecure: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hosts: HostGate;
  /** Ends every call with its reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that all waits of this client together may take; 10 s unless given. */
  readonly maxWaitMs?: number;
  readonly onExchange?: (record: ExchangeRecord) => void;
}

export interface TaskFilter {
  readonly state?: TaskRecord["state"] | "open";
  readonly slot?: string;
  readonly job?: string;
  readonly order?: "oldest" | "newest";
  readonly limit?: number;
  readonly cursor?: string;
}

/** What a submit was answered with: the receipt's exact bytes. */
export interface SubmitAnswer {
  readonly bytes: Buffer;
  readonly receipt: Receipt;
  readonly replayed: boolean;
  readonly superseded: boolean;
}

/** Where a verdict is kept; `superseded` where a slot was reopened since it was looked at. */
export type VerdictReceipt = VerdictAnswer & { readonly superseded: boolean };

/** A file to store under its digest; `lease` where a worker stores it. */
export interface BlobUpload {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly lease: { readonly taskId: string; readonly fence: number } | null;
}

/** Where a blob goes. `bytes`: the exact size, where it is known. */
export interface BlobDownload {
  readonly sha256: string;
  readonly path: string;
  readonly maxBytes: number;
  readonly bytes: number | null;
}

/**
 * The gateway's routes as methods. Each makes at most three transport attempts and throws HandoffError: a
 * GATEWAY_ code, or the wire code of the gateway's refusal.
 */
export function openGatewayClient(options: GatewayClientOptions): GatewayClient {
  const session: Session = {
    url: readGatewayUrl(options.url, options.allowInsecure),
    token: options.token,
    agent: openAgent(),
    clock: options.clock,
    logger: options.logger,
    hosts: options.hosts,
    signal: options.signal ?? null,
    patience: { leftMs: options.maxWaitMs ?? 10_000 },
    onExchange: options.onExchange ?? null,
  };
  return clientOver(session);
}

export interface GatewayClient extends ReturnType<typeof methods> {
  /** The same client under another signal or with other patience; it shares connections and gate. */
  with(change: { signal?: AbortSignal; maxWaitMs?: number }): GatewayClient;
}

const clientOver = (session: Session): GatewayClient => ({
  ...methods(session),
  with: (change) =>
    clientOver({
      ...session,
      signal: change.signal ?? session.signal,
      patience: change.maxWaitMs === undefined ? session.patience : { leftMs: change.maxWaitMs },
    }),
});

function methods(session: Session) {
  const calls = openCalls(session);
  const url: GatewayUrl = session.url;
  return {
    url,
    close: () => session.agent.destroy(),
    ...reads(calls),
    ...writes(calls),
    ...blobs(calls),
    ...verdicts(calls),
    ...administration(calls),
  };
}

const reads = (calls: Calls) => ({
  wellKnown: () => calls.json("wellKnown", WellKnown, {}),
  health: () => calls.json("health", people.Health, {}),
  ready: () => calls.json("ready", people.Health, {}),
  getJob: (jobId: string) => calls.bytes("getJob", { params: { job_id: jobId }, capBytes: LIMITS.jobBytes }),
  listTasks: (filter: TaskFilter) => calls.json("listTasks", people.TaskList, { query: { ...filter } }),
  getTask: (taskId: string) => calls.json("getTask", TaskRecord, { params: { task_id: taskId } }),
  getReceipt: (taskId: string, version?: number) =>
    calls.bytes("getReceipt", { params: { task_id: taskId }, query: { version } }),
  getRequest: (taskId: string, version?: number) =>
    calls.bytes("getRequest", {
      params: { task_id: taskId },
      query: { version },
      capBytes: LIMITS.submitBytes,
    }),
  getWorker: (id: string) => calls.json("getWorker", WorkerRecord, { params: { id } }),
  getObject: (key: string, pin: { version?: number; sha256?: string } = {}) =>
    calls.bytes("getObject", { params: { key }, query: { ...pin } }),
});

const writes = (calls: Calls) => ({
  /** With a key, a claim whose answer was lost gives the same lease again. */
  claim: (request: queue.ClaimRequest, key: string | null) =>
    calls.json("claim", queue.ClaimAnswer, {
      body: request,
      headers: key === null ? {} : { [HEADERS.idempotencyKey]: key },
    }),
  heartbeat: (request: queue.HeartbeatRequest) =>
    calls.json("heartbeat", queue.HeartbeatAnswer, { body: request }),
  release: (request: queue.ReleaseRequest) => calls.json("release", queue.ReleaseAnswer, { body: request }),
  /** Sends exactly these bytes under this key: the same again gives the same receipt. */
  submit: (raw: Uint8Array, key: string): Promise<Answer<SubmitAnswer>> =>
    calls.call("submit", { raw, headers: { [HEADERS.idempotencyKey]: key } }, (answer) => ({
      bytes: answer.body,
      receipt: calls.narrow(Receipt, answer.body),
      replayed: header(answer, HEADERS.replayed) === "true",
      superseded: header(answer, HEADERS.superseded) === "true",
    })),
});

const blobs = (calls: Calls) => ({
  /** Size of a stored blob; null when there is none that this token may see. */
  headBlob: (sha256: string): Promise<Answer<{ bytes: number } | null>> =>
    calls.call("headBlob", { params: { sha256 }, absentIsAnswer: true }, (answer) =>
      answer.status === 404 ? null : { bytes: Number(header(answer, "content-length") ?? "0") },
    ),
  /** Streams a file; throws the system's error when the file cannot be read. */
  putBlob: (blob: BlobUpload): Promise<Answer<null>> =>
    calls.call(
      "putBlob",
      {
        params: { sha256: blob.sha256 },
        stream: () => readBlocks(blob.path),
        transferBytes: blob.bytes,
        headers: {
          "content-type": "application/octet-stream",
          "content-length": String(blob.bytes),
          [HEADERS.contentDigest]: `sha-256=:${Buffer.from(blob.sha256, "hex").toString("base64")}:`,
          ...(blob.lease === null
            ? {}
            : { [HEADERS.taskId]: blob.lease.taskId, [HEADERS.fencingToken]: String(blob.lease.fence) }),
        },
      },
      () => null,
    ),
  /** The number of bytes; GATEWAY_BLOB_DAMAGED for other bytes than asked for. No partial file is left. */
  getBlob: async (blob: BlobDownload): Promise<Answer<number>> => {
    const target = fileTarget(blob);
    try {
      return await calls.call(
        "getBlob",
        {
          params: { sha256: blob.sha256 },
          openSink: target.open,
          transferBytes: blob.bytes ?? blob.maxBytes,
        },
        target.finish,
      );
    } finally {
      await target.discard();
    }
  },
});

const verdicts = (calls: Calls) => ({
  /** The same verdict again is the same version. */
  postVerdict: (verdict: Verdict): Promise<Answer<VerdictReceipt>> =>
    calls.call("postVerdict", { body: verdict }, (answer) => ({
      ...calls.narrow(VerdictAnswer, answer.body),
      superseded: header(answer, HEADERS.superseded) === "true",
    })),
  getGraph: (root: string, version?: number) =>
    calls.json("getGraph", ProvenanceGraph, { query: { root, version } }),
});

// a lost answer to a registration is not asked for again: it would make a second worker
const ONCE = { attempts: 1 };
const administration = (calls: Calls) => ({
  collectGarbage: (request: upkeep.CollectRequest) =>
    calls.json("collectGarbage", upkeep.CollectAnswer, { body: request }),
  putJob: (raw: Uint8Array) => calls.json("putJob", queue.JobAnswer, { raw }),
  enqueue: (request: queue.EnqueueRequest) => calls.json("enqueue", queue.EnqueueAnswer, { body: request }),
  reopen: (request: queue.ReopenRequest) => calls.json("reopen", queue.ReopenAnswer, { body: request }),
  registerWorker: (request: people.RegisterWorkerRequest) =>
    calls.json("registerWorker", people.RegisterWorkerAnswer, { body: request, ...ONCE }),
  listWorkers: (page: { limit?: number; cursor?: string } = {}) =>
    calls.json("listWorkers", people.WorkerList, { query: { ...page } }),
  revokeWorker: (id: string) => calls.json("revokeWorker", WorkerRecord, { params: { id } }),
  registerChecker: (request: { name: string }) =>
    calls.json("registerChecker", people.RegisterCheckerAnswer, { body: request, ...ONCE }),
  listCheckers: () => calls.json("listCheckers", people.CheckerList, { capBytes: LIMITS.jsonBytes }),
  revokeChecker: (id: string) => calls.json("revokeChecker", CheckerRecord, { params: { id } }),
});
