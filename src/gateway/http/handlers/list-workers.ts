import { listWorkers as list } from "../../people/workers.ts";
import { ok } from "../call.ts";
import { plain } from "../handler.ts";

export const listWorkers = plain(async ({ services }) => ok({ workers: await list(services.queue.store) }));
