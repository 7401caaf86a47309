import type { IncomingHttpHeaders } from "node:http";
import type { Route } from "../../../contracts/wire/route.ts";
import { HandoffError } from "../../core/error.ts";

/** JSON routes take application/json, and no route takes a coded body: unsupported_media_type. */
export function checkMediaType(route: Route, headers: IncomingHttpHeaders): void {
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "identity")
    throw new HandoffError("unsupported_media_type", "Bodies are sent without a content coding.");
  if (route.body !== "json" && route.body !== "raw") return;
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new HandoffError("unsupported_media_type", "The route takes application/json.");
}
