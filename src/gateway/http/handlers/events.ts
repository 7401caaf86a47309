import { placeOf } from "../../queue/read-events.ts";
import { personOf } from "../call.ts";
import { plain } from "../handler.ts";

/**
 * `change` for each event, with its cursor as id; `progress` for leases; `reset` where events were missed;
 * with `brief=true` only `changed`, which says no more than that it is time to look.
 */
export const events = plain(async (call) => {
  const [came] = call.headerValues("last-event-id");
  const cursor = came ?? call.query["after"];
  const source = await call.services.feed.follow({
    cursor: cursor === undefined ? null : placeOf(cursor),
    brief: call.query["brief"] !== undefined,
    personUuid: personOf(call),
    trusted: call.principal !== null && call.principal.role !== "worker",
  });
  return {
    kind: "stream",
    status: 200,
    source,
    type: "text/event-stream",
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
  };
});
