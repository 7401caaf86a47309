import { listCheckers as list } from "../../people/checkers.ts";
import { ok } from "../call.ts";
import { plain } from "../handler.ts";

export const listCheckers = plain(async ({ services }) => ok({ checkers: await list(services.queue.store) }));
