import type { WireCode } from "./catalogue.ts";
import { OPERATION_ROUTES } from "./routes/operation.ts";
import { PAGE_ROUTES } from "./routes/page.ts";
import { PEOPLE_ROUTES } from "./routes/people.ts";
import { QUEUE_ROUTES } from "./routes/queue.ts";
import { RECORD_ROUTES } from "./routes/records.ts";
import type { Route } from "./wire/route.ts";

/** All routes: the gateway registers exactly these, the client calls these, OpenAPI is made from them. */
export const ROUTES = {
  ...QUEUE_ROUTES,
  ...RECORD_ROUTES,
  ...PEOPLE_ROUTES,
  ...PAGE_ROUTES,
  ...OPERATION_ROUTES,
} as const satisfies Record<string, Route>;
export type RouteName = keyof typeof ROUTES;

/** Codes that any route with a token or a body may answer. */
export const COMMON_CODES: readonly WireCode[] = [
  "unauthenticated",
  "role_forbidden",
  "worker_revoked",
  "malformed_http",
  "invalid_json",
  "duplicate_json_key",
  "invalid_request_shape",
  "body_too_large",
  "request_timeout",
  "unsupported_media_type",
  "rate_limited",
  "internal_error",
  "unavailable",
];

/** Codes that a route without a token may answer all the same. */
const OPEN_CODES: readonly WireCode[] = [
  "malformed_http",
  "invalid_request_shape",
  "request_timeout",
  "internal_error",
  "unavailable",
];
/** And one that takes a body. */
const OPEN_BODY_CODES: readonly WireCode[] = ["body_too_large", "unsupported_media_type"];

/** What a route may answer besides its own codes. */
export function commonCodes({ who, body }: Route): readonly WireCode[] {
  if (who !== "open") return COMMON_CODES;
  return body === "none" ? OPEN_CODES : [...OPEN_CODES, ...OPEN_BODY_CODES];
}

export { HEADERS } from "./headers.ts";
