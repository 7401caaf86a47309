import { WellKnown } from "../documents/records.ts";
import * as people from "../wire/people.ts";
import { get, post, type Route } from "../wire/route.ts";
import * as upkeep from "../wire/upkeep.ts";

/** Upkeep, health, figures and what the gateway says of itself. */
export const OPERATION_ROUTES = {
  collectGarbage: post(
    "/q/gc",
    ["administrator"],
    "Removes blobs that nothing refers to, a part at a time.",
    upkeep.CollectRequest,
    upkeep.CollectAnswer,
    [],
  ),
  health: get("/healthz", "open", "The process is alive.", people.Health, []),
  ready: get("/readyz", "open", "The store answers.", people.Health, ["unavailable"]),
  metrics: {
    ...get("/metrics", ["administrator", "checker"], "Figures in Prometheus text.", "text", []),
    openOnLoopback: true,
  },
  openapi: get("/openapi.json", "open", "This table as OpenAPI 3.1.", "bytes", []),
  wellKnown: get("/.well-known/render-handoff", "open", "Who this gateway is.", WellKnown, []),
} as const satisfies Record<string, Route>;
