import { TASK_STATES } from "../../../../contracts/documents/records.ts";
import { SLOTS } from "../../../../contracts/flow.ts";
import { listTasks as list } from "../../queue/list-tasks.ts";
import { ok } from "../call.ts";
import { plain } from "../handler.ts";
import { PAGE } from "../parameters.ts";

/** `state=ready` also finds tasks whose lease has ended. */
export const listTasks = plain(async ({ services, query }) =>
  ok(
    await list(services.queue, {
      state: TASK_STATES.find((state) => state === query["state"]) ?? null,
      slot: SLOTS.find((slot) => slot === query["slot"]) ?? null,
      jobId: query["job"] ?? null,
      after: query["cursor"] ?? null,
      limit: Number(query["limit"] ?? PAGE.standard),
    }),
  ),
);
