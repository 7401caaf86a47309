import { type ChangeEvent, EventCursor, type ProgressEvent } from "../../../contracts/wire/events.ts";
import { Progress } from "../../../contracts/wire/queue.ts";
import { timestamp } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { parseStored } from "./payload.ts";
import type { EventPlace, EventRow, TaskRow } from "./rows.ts";
import type { QueueStore } from "./store.ts";

export const BEGINNING: EventPlace = { tx: 0, id: 0 };

export const cursorOf = ({ tx, id }: EventPlace): string => `${tx}.${id}`;

/** The place that a cursor says, or invalid_request_shape. */
export function placeOf(cursor: string): EventPlace {
  if (!EventCursor.safeParse(cursor).success)
    throw new HandoffError("invalid_request_shape", "It is no cursor of events.");
  const [tx = 0, id = 0] = cursor.split(".").map(Number);
  return { tx, id };
}

/** Negative, zero or positive as places come one after the other. */
export const comparePlaces = (left: EventPlace, right: EventPlace): number =>
  left.tx - right.tx || left.id - right.id;

/** Where a reader begins; `reset` when events after its cursor may be gone, or the cursor is not of this store. */
export async function startReading(
  store: QueueStore,
  cursor: EventPlace | null,
): Promise<{ place: EventPlace; reset: boolean }> {
  if (cursor !== null && comparePlaces(cursor, BEGINNING) === 0) return { place: cursor, reset: false };
  return store.read(async (rows) => {
    const place = (await rows.eventBounds())?.last ?? BEGINNING;
    if (cursor === null) return { place, reset: false };
    // a cursor is the place of an event: one that was pruned, or lost before a restore, is not there
    const [found] = await rows.eventsAfter({ tx: cursor.tx, id: cursor.id - 1 }, 1);
    const known = found !== undefined && comparePlaces(found, cursor) === 0;
    return known ? { place: cursor, reset: false } : { place, reset: true };
  });
}

/** An event as it is told. */
export const changeOf = (row: EventRow): Readonly<Record<keyof ChangeEvent, unknown>> => ({
  kind: row.kind,
  cursor: cursorOf(row),
  at: timestamp(row.at),
  task_id: row.taskId,
  job_id: row.jobId,
  worker_uuid: row.workerUuid,
  detail: parseStored(row.detail),
});

/** How far a leased task is, as it is told. */
export const progressOf = (task: TaskRow): ProgressEvent => ({
  task_id: task.taskId,
  worker_uuid: task.workerId ?? "",
  fencing_token: task.fence,
  lease_expires_at: timestamp(task.expiresAt ?? 0),
  progress: task.progress === null ? null : (Progress.safeParse(parseStored(task.progress)).data ?? null),
});
