import { readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../core/clock.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { makeFolder } from "../core/files/make-folder.ts";
import { writeDurable } from "../core/files/write-durable.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import type { Logger } from "../core/logger.ts";
import { openBlobs } from "./blobs/open.ts";
import { type DataLock, lockDataFolder } from "./data-lock.ts";
import { buildApp } from "./http/build-app.ts";
import { EventFeed } from "./http/events/feed.ts";
import { checkTls, renewTls, STANDARD_TIMEOUTS, type Timeouts, type Tls } from "./http/listener.ts";
import { Metrics } from "./http/metrics.ts";
import { openapiDocument } from "./http/openapi.ts";
import { isLoopback } from "./http/page-access.ts";
import { openSockets, stop } from "./http/stop.ts";
import { Uploads } from "./http/uploads.ts";
import { openStore } from "./open-store.ts";
import { readAssets } from "./page/assets.ts";
import { Pages } from "./page/pages.ts";
import { adminTokenHash, sharedAdminTokenHash } from "./people/admin-token.ts";
import { keepEventsBounded } from "./prune-events.ts";
import type { FaultPoint } from "./queue/queue.ts";
import type { QueueStore } from "./queue/store.ts";
import { storeFailed } from "./store-failed.ts";
import { ABANDONED_SECONDS, finishRemovals } from "./upkeep/collect.ts";
import { openReserve, RESERVE_BYTES } from "./upkeep/reserve.ts";

export interface GatewayOptions {
  /** Made when absent. Holds the database, the blobs, `admin-token` and, while serving, `endpoint.json`. */
  readonly dataFolder: string;
  readonly host: string;
  /** `postgres://…`: the queue is there, shared with other gateways; SQLite in the data folder when not given. */
  readonly storeUrl?: string;
  /** `s3://bucket/prefix`: the blobs are there; in the data folder when not given. */
  readonly blobsUrl?: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly tls?: Tls;
  /** A proxy before this one ends TLS. */
  readonly behindProxy?: boolean;
  /** The page asks for a token on this machine too. */
  readonly pageToken?: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called at the named points of rule 7. */
  readonly faultPoint?: (name: FaultPoint) => void;
  /** Holds every answer to its schema and its route's codes: for development and tests. */
  readonly checkAnswers?: boolean;
  readonly timeouts?: Partial<Timeouts>;
  /** Requests of one worker or checker in 10 seconds, by this process; no limit when not given. */
  readonly rateLimit?: number;
  /** Connections at the same time; 1000 when not given. */
  readonly connections?: number;
  /** Room on the disk that is kept for the removal of blobs; 8 MiB when not given. */
  readonly reserveBytes?: number;
  /** Cap of a blob that the administrator puts; what the store of blobs takes when not given. */
  readonly blobBytes?: number;
}

export interface Gateway {
  readonly url: string;
  readonly gatewayId: string;
  /** For new connections, where it serves TLS; USAGE_FILE_INVALID for a pair that is none, and the old one stays. */
  renewTls(tls: Tls): void;
  /** Requests in flight are answered first, for a bounded time. Safe to call twice. */
  close(): Promise<void>;
}

/** How to close what has been opened, in the order of opening. */
type Undo = (() => Promise<void> | void)[];

const CONNECTIONS = 1_000;

/**
 * Opens the embedded gateway and serves it. Throws USAGE_INSECURE_BIND, USAGE_FILE_INVALID (TLS),
 * USAGE_TOKEN_FILE, GATEWAY_DATA_LOCKED, GATEWAY_DATA_INVALID, GATEWAY_STORE_FAILED, GATEWAY_PORT_TAKEN;
 * what was opened until then is closed again.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  if (!isLoopback(options.host) && options.tls === undefined && options.behindProxy !== true)
    throw new HandoffError("USAGE_INSECURE_BIND", `${options.host}.`);
  if (options.tls !== undefined) checkTls(options.tls);
  const undo: Undo = [];
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const failed: unknown[] = [];
    // every step is tried: a file that cannot be removed must not keep the lock
    for (const step of undo.reverse())
      await Promise.resolve(step()).catch((thrown: unknown) => failed.push(thrown));
    if (failed.length > 0) throw storeFailed(failed[0]);
  };
  try {
    return { ...(await start(options, undo)), close: () => (closed ??= close()) };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function start(options: GatewayOptions, undo: Undo): Promise<Omit<Gateway, "close">> {
  const { dataFolder, clock, logger } = options;
  await makeFolder(dataFolder).catch((thrown: unknown) => {
    throw new HandoffError("GATEWAY_DATA_INVALID", `${dataFolder}: ${systemCode(thrown) ?? "unusable"}.`);
  });
  const lock: DataLock = lockDataFolder(dataFolder);
  undo.push(() => lock.release());
  await removePartials(dataFolder);
  const reserve = openReserve({ dataFolder, bytes: options.reserveBytes ?? RESERVE_BYTES, logger });
  await reserve.makeRoom();
  const storeUrl = options.storeUrl ?? null;
  const store: QueueStore = await openStore({ dataFolder, storeUrl, clock });
  undo.push(() => store.close());
  const hash = storeUrl === null ? adminTokenHash(dataFolder) : sharedAdminTokenHash(dataFolder, store);
  const adminTokenSha256 = await hash.catch((thrown: unknown) => {
    throw storeFailed(thrown);
  });
  const { blobs, most } = await openBlobs(dataFolder, options.blobsUrl ?? null);
  undo.push(() => blobs.close());
  // who shares a store may be at work on a removal; alone, whatever was begun was cut off
  const now = await store.read((rows) => rows.now());
  await finishRemovals({ store, blobs }, storeUrl === null ? now : now - ABANDONED_SECONDS);
  const gatewayId = await store.read((rows) => rows.meta("gateway_id"));
  const timeouts = { ...STANDARD_TIMEOUTS, ...options.timeouts };
  let closing = false;
  const feed = new EventFeed({ store, clock });
  const app = await buildApp({
    services: {
      feed,
      adminTokenSha256,
      pages: new Pages({ store, feed, clock, gatewayId, assets: readAssets() }),
      queue: { store, faultPoint: options.faultPoint ?? null },
      blobs,
      uploads: new Uploads(),
      reserve,
      clock,
      metrics: new Metrics(clock.wallSeconds()),
      gatewayId,
      openapi: canonicalBytes(openapiDocument()),
      blobBytes: options.blobBytes ?? most,
    },
    adminTokenSha256,
    behindProxy: options.behindProxy ?? false,
    pageToken: options.pageToken ?? false,
    encrypted: options.tls !== undefined,
    checkAnswers: options.checkAnswers ?? false,
    tls: options.tls ?? null,
    rateLimit: options.rateLimit ?? null,
    connections: options.connections ?? CONNECTIONS,
    timeouts,
    clock,
    logger,
    closing: () => closing,
  });
  undo.push(() => app.close());
  const sockets = openSockets(app.server);
  const url = await listen(app, options);
  undo.push(() => {
    closing = true;
    return stop(app.server, { sockets, clock, closeMs: timeouts.closeMs });
  });
  undo.push(() => feed.close());
  const pruning = new AbortController();
  const pruned = keepEventsBounded(store, clock, pruning.signal);
  undo.push(() => {
    pruning.abort();
    return pruned;
  });
  const endpoint = join(dataFolder, "endpoint.json");
  undo.push(() => rm(endpoint, { force: true }));
  await writeDurable(endpoint, canonicalBytes({ url, gateway_id: gatewayId })).catch((thrown: unknown) => {
    throw storeFailed(thrown);
  });
  await reserve.fill();
  logger.log("info", "gateway_started", { detail: url });
  undo.push(() => logger.log("info", "gateway_stopping"));
  return { url, gatewayId, renewTls: (tls) => renewTls(app.server, tls) };
}

/** Half-written files of an earlier process: they have never counted. */
async function removePartials(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder))
    if (/^(admin-token|endpoint\.json)\.\d+\.partial$/.test(name))
      await rm(join(dataFolder, name), { force: true });
}

async function listen(app: FastifyInstance, options: GatewayOptions): Promise<string> {
  const { server } = app;
  await new Promise<void>((resolve, reject) => {
    server.on("error", (thrown) => {
      const detail = `${options.host}:${options.port}: ${systemCode(thrown) ?? "unknown"}.`;
      options.logger.log("error", "listener_failed", { detail });
      reject(new HandoffError("GATEWAY_PORT_TAKEN", detail, { cause: thrown }));
    });
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return `${options.tls === undefined ? "http" : "https"}://${host}:${port}`;
}
