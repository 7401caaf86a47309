import type { WireCode } from "./catalogue.ts";

/** Headers of our own and those with a meaning beyond HTTP's. Lower case. */
export const HEADERS = {
  gateway: "render-handoff-gateway",
  requestId: "request-id",
  idempotencyKey: "idempotency-key",
  replayed: "idempotent-replayed",
  superseded: "superseded",
  taskId: "task-id",
  fencingToken: "fencing-token",
  contentDigest: "content-digest",
} as const;

/** What a request may state beside its token and its media type. */
export const REQUEST_FIELDS = {
  "content-digest": "RFC 9530; where it names SHA-256, it must be that of the path.",
  "content-length": "Bytes of the body, which a chunked one does not state.",
  "fencing-token": "The fence of the worker's lease.",
  "idempotency-key": "1 to 255 of A-Z a-z 0-9 . _ : -, bare or as a string of RFC 8941; once.",
  "if-range": "Entity tag: the range counts only where it is that of the blob.",
  "last-event-id": "Id of the last event that was seen; goes before `after`.",
  range: "One range of bytes; several are answered with the whole.",
  "request-id": "Names the request in its answer and in the gateway's log; else the gateway makes a name.",
  "sec-fetch-site": "A form of another site is refused.",
  "task-id": "The task of the worker's lease.",
} as const;
export type RequestField = keyof typeof REQUEST_FIELDS;

/** What an answer may say beside its media type and its length. */
export const ANSWER_FIELDS = {
  "accept-ranges": "bytes.",
  "content-digest": "RFC 9530, SHA-256: of the bytes of this answer.",
  "content-length": "The size of the blob.",
  "content-range": "Which bytes these are; behind a refused range, how many there are.",
  etag: "The digest; blobs never change.",
  "idempotent-replayed": "true: the stored answer of an earlier request with this key.",
  location: "The page.",
  "render-handoff-gateway": "The id of the gateway that answers.",
  "repr-digest": "RFC 9530, SHA-256: of the whole blob.",
  "request-id": "The name of the request.",
  "retry-after": "Seconds after which to come back.",
  "set-cookie": "The page's cookie, for this gateway alone.",
  superseded: "true: the task was reopened since.",
} as const;
export type AnswerField = keyof typeof ANSWER_FIELDS;

/** What every answer says. */
export const EVERY_ANSWER: readonly AnswerField[] = [HEADERS.gateway, HEADERS.requestId];

/** Refusals that say in Retry-After after how many seconds to come back. */
export const RETRYING_CODES: readonly WireCode[] = ["already_leased", "rate_limited", "unavailable"];
