import { revokeChecker as revoke } from "../../people/checkers.ts";
import { ok, param } from "../call.ts";
import { plain } from "../handler.ts";

export const revokeChecker = plain(async (call) =>
  ok(await revoke(call.services.queue.store, param(call, "id"))),
);
