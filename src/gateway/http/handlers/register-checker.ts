import { RegisterCheckerRequest } from "../../../../contracts/wire/people.ts";
import { registerChecker as register } from "../../people/checkers.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";

export const registerChecker = json(RegisterCheckerRequest, async ({ services }, body) =>
  ok(await register(services.queue.store, services.clock, body.name), 201),
);
