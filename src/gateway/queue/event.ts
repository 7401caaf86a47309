import type { EventDetail, EventKind } from "../../../contracts/wire/events.ts";
import { canonicalText } from "../../core/json/canonical.ts";
import type { NewEvent } from "./rows.ts";

interface Happened<Kind extends EventKind> {
  /** The second at which the change is committed. */
  readonly at: number;
  readonly kind: Kind;
  readonly taskId?: string;
  readonly jobId?: string | null;
  readonly workerUuid?: string | null;
  readonly detail: EventDetail<Kind>;
}

/** The row of an event; it is inserted in the transaction of the change that it tells of. */
export const event = <Kind extends EventKind>(happened: Happened<Kind>): NewEvent => ({
  at: happened.at,
  kind: happened.kind,
  taskId: happened.taskId ?? null,
  jobId: happened.jobId ?? null,
  workerUuid: happened.workerUuid ?? null,
  detail: canonicalText(happened.detail),
});
