import { readFileSync } from "node:fs";
import { ContractAdapter } from "../../../contracts/documents/contract-adapter.ts";
import { narrow } from "../../../src/core/json/read-document.ts";

/** The committed adapter of the module. */
export function readAdapter(): ContractAdapter {
  const read = narrow(
    ContractAdapter,
    JSON.parse(readFileSync("contracts/modules/fencing-idempotency/adapter.json", "utf8")),
  );
  if (!read.ok) throw new Error(`adapter.json${read.path}: ${read.problem}`);
  return read.value;
}

/** What must come out here, given what the reference said and the task's state before; null: no row. */
export function expectedCode(
  adapter: ContractAdapter,
  seen: { operation: string; reference: string; before: string },
): string | null {
  const row = adapter.outcomes.find(
    (outcome) =>
      outcome.operation === seen.operation &&
      outcome.reference === seen.reference &&
      (outcome.when === "any" || outcome.when === seen.before),
  );
  return row?.code ?? null;
}
