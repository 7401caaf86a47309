import { SLOTS } from "../../../../contracts/flow.ts";
import { listTasks as list } from "../../queue/list-tasks.ts";
import { ok } from "../call.ts";
import { plain } from "../handler.ts";
import { LISTED_STATES, PAGE } from "../parameters.ts";

/** `state=ready` also finds tasks whose lease has ended; `state=open` is all that are not done. */
export const listTasks = plain(async ({ services, query }) =>
  ok(
    await list(services.queue, {
      state: LISTED_STATES.find((state) => state === query["state"]) ?? null,
      slot: SLOTS.find((slot) => slot === query["slot"]) ?? null,
      jobId: query["job"] ?? null,
      newestFirst: query["order"] === "newest",
      after: query["cursor"] ?? null,
      limit: Number(query["limit"] ?? PAGE.standard),
    }),
  ),
);
