import { listWorkers as list } from "../../people/workers.ts";
import { ok } from "../call.ts";
import { plain } from "../handler.ts";
import { PAGE } from "../parameters.ts";

export const listWorkers = plain(async ({ services, query }) =>
  ok(
    await list(services.queue.store, {
      after: query["cursor"] ?? null,
      limit: Number(query["limit"] ?? PAGE.standard),
    }),
  ),
);
