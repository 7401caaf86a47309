import { z } from "zod";
import { plainRecord } from "../plain-record.ts";

const Line = z.string().min(1);

/**
 * How the words and outcomes of a reference map to this contract, and every deliberate difference. `when` is
 * the state of the task before the operation, where one outcome of the reference is more than one here.
 */
export const ContractAdapter = z.strictObject({
  schema: z.literal("render_handoff.contract_adapter.v1"),
  module: Line,
  operations: z.array(
    z.strictObject({ operation: Line, route: Line, added_fields: z.array(Line), note: Line }),
  ),
  outcomes: z.array(
    z.strictObject({
      operation: Line,
      reference: Line,
      when: z.enum(["any", "absent", "ready", "leased", "done"]),
      code: Line,
    }),
  ),
  ledger_outcomes: plainRecord(z.record(Line, Line).describe("outcomes of the sample ledger")),
  differences: z.array(
    z.strictObject({
      id: Line,
      operation: Line,
      reference: Line.describe("what the reference does"),
      here: Line.describe("what this contract asks for"),
      why: Line,
    }),
  ),
});
export type ContractAdapter = z.infer<typeof ContractAdapter>;
