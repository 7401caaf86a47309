import { ok } from "../call.ts";
import { plain } from "../handler.ts";

export const wellKnown = plain(async ({ services }) =>
  ok({ gateway_id: services.gatewayId, api: "render-handoff/1", keys: [] }),
);
