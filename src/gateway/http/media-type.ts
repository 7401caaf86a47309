import type { IncomingHttpHeaders } from "node:http";
import type { Route } from "../../../contracts/wire/route.ts";
import { HandoffError } from "../../core/error.ts";

/** What a body must be said to be; null for anything. */
export const TYPES = {
  none: null,
  json: "application/json",
  raw: "application/json",
  png: "image/png",
  form: "application/x-www-form-urlencoded",
  blob: null,
} as const satisfies Record<Route["body"], string | null>;

/** Each body is of its route's type, and no route takes a coded one: unsupported_media_type. */
export function checkMediaType(route: Route, headers: IncomingHttpHeaders): void {
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "identity")
    throw new HandoffError("unsupported_media_type", "Bodies are sent without a content coding.");
  const wanted = TYPES[route.body];
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (wanted !== null && type !== wanted)
    throw new HandoffError("unsupported_media_type", `The route takes ${wanted}.`);
}
