import type { RequestField } from "../../../contracts/headers.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import type { LogFields } from "../../core/logger.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { Pages } from "../page/pages.ts";
import type { Principal } from "../people/authenticate.ts";
import type { Queue } from "../queue/queue.ts";
import type { Reserve } from "../upkeep/reserve.ts";
import type { EventFeed } from "./events/feed.ts";
import type { Metrics } from "./metrics.ts";
import type { Uploads } from "./uploads.ts";

/** What handlers work with. */
export interface Services {
  readonly queue: Queue;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  readonly reserve: Reserve;
  readonly clock: Pick<Clock, "uuid" | "monotonicMs">;
  readonly metrics: Metrics;
  readonly feed: EventFeed;
  readonly pages: Pages;
  readonly gatewayId: string;
  readonly adminTokenSha256: string;
  /** The table of routes as OpenAPI bytes. */
  readonly openapi: Buffer;
  /** Cap of a blob that the administrator puts. */
  readonly blobBytes: number;
}

/** One request after routing, role check and narrowing of its path and query. */
export interface Call {
  readonly services: Services;
  /** Null on open routes. */
  readonly principal: Principal | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Every value of a header that the route's table lists. */
  readonly headerValues: (name: RequestField) => readonly string[];
  /** The browser speaks TLS with us or with our proxy. */
  readonly secure: boolean;
  /** Fields for this request's log line. */
  readonly note: (fields: LogFields) => void;
}

interface Headed {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}
export type Answer =
  | (Headed & { readonly kind: "json"; readonly value: unknown })
  | (Headed & { readonly kind: "bytes"; readonly bytes: Buffer; readonly type: string })
  | (Headed & { readonly kind: "stream"; readonly source: NodeJS.ReadableStream; readonly type: string })
  | (Headed & { readonly kind: "empty" })
  /** An error whose answer has headers of its own. */
  | {
      readonly kind: "refused";
      readonly error: HandoffError;
      readonly headers: Readonly<Record<string, string>>;
    };

export const ok = (value: unknown, status = 200): Answer => ({ kind: "json", status, value });

export const JSON_TYPE = "application/json";

/** The token's worker; worker_identity_mismatch when the request names another. */
export function ownWorker(call: Call, named: string): string {
  if (call.principal?.role !== "worker") throw new HandoffError("role_forbidden");
  if (call.principal.workerUuid !== named) throw new HandoffError("worker_identity_mismatch");
  return named;
}

/** The worker whose own things alone may be read; null for roles that read everything. */
export const readerOf = (call: Call): string | null =>
  call.principal?.role === "worker" ? call.principal.workerUuid : null;

/** The worker or checker that calls; null for the administrator and for a neighbour without a token. */
export function personOf({ principal }: Pick<Call, "principal">): string | null {
  if (principal === null || principal.role === "administrator") return null;
  return principal.role === "worker" ? principal.workerUuid : principal.checkerUuid;
}

/** A parameter that the route's path or query check has let through. */
export const param = (call: Call, name: string): string => call.params[name] ?? "";
