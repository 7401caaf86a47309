import { z } from "zod";
import { Count, Label, Timestamp } from "../names.ts";
import { ChildResult, OUTCOMES } from "./child-result.ts";

/** What one `dispatch run` leaves in result.json; `reason` is a code of the catalogue or null. */
export const DispatchResult = z.strictObject({
  schema: z.literal("render_handoff.dispatch_result.v1"),
  outcome: z.enum(OUTCOMES),
  reason: z.string().max(64).nullable(),
  id: Label.nullable().describe("entry that was run; null when none was"),
  next_due_utc: Timestamp.nullable().describe(
    "when a further run makes sense; null: not before somebody acts",
  ),
  held: z.array(Label).describe("hosts and entries that wait for an operator"),
  exchanges: Count.describe("exchanges in capture/"),
  child: ChildResult.nullable(),
});
export type DispatchResult = z.infer<typeof DispatchResult>;
