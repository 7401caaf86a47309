import { z } from "zod";
import { TASK_STATES } from "../../../contracts/documents/records.ts";
import {
  CheckerUuid,
  FreeText,
  JobId,
  Sha256,
  SlotName,
  TaskId,
  WorkerUuid,
} from "../../../contracts/names.ts";
import { EventCursor } from "../../../contracts/wire/events.ts";
import { HandoffError } from "../../core/error.ts";

const whole = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .refine((text) => Number(text) <= most)
    .describe(`1 to ${most}`);
/** A task's state, or `open` for all that are not done. */
export const LISTED_STATES = [...TASK_STATES, "open"] as const;
/** What the page shows. */
export const SHOWN = ["all", "open", "done"] as const;
export const PAGE = { standard: 100, most: 1_000 } as const;

/** Schemas of path parameters by name; `id` depends on whose it is. */
const PATH: Readonly<Record<string, z.ZodType>> = {
  job_id: JobId,
  task_id: TaskId,
  key: TaskId,
  sha256: Sha256,
};
export const pathSchema = (path: string, name: string): z.ZodType =>
  PATH[name] ?? (path.startsWith("/q/checker/") ? CheckerUuid : WorkerUuid);

/** Schemas of query parameters by name. */
export const QUERY: Readonly<Record<string, z.ZodType>> = {
  state: z.enum(LISTED_STATES),
  order: z.enum(["oldest", "newest"]),
  slot: SlotName,
  job: JobId,
  limit: whole(PAGE.most),
  cursor: TaskId,
  root: TaskId,
  version: whole(Number.MAX_SAFE_INTEGER),
  sha256: Sha256,
  after: EventCursor,
  brief: z.literal("true"),
  frame: z.string().regex(/^(0|[1-9]\d{0,6})$/),
  seen: FreeText.max(40),
  q: FreeText.max(100),
  show: z.enum(SHOWN),
  before: whole(Number.MAX_SAFE_INTEGER),
  handoff: JobId,
};

/** Path parameters that follow their schemas, or invalid_request_shape. */
export function readParams(path: string, params: unknown): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(params ?? {}))
    read[name] = checked(pathSchema(path, name), name, value);
  return read;
}

/** Query parameters that the route knows, each at most once, or invalid_request_shape. */
export function readQuery(known: readonly string[], url: string): Record<string, string> {
  const read: Record<string, string> = {};
  const start = url.indexOf("?");
  for (const [name, value] of new URLSearchParams(start < 0 ? "" : url.slice(start + 1))) {
    const schema = known.includes(name) ? QUERY[name] : undefined;
    if (schema === undefined || Object.hasOwn(read, name))
      throw new HandoffError("invalid_request_shape", "The query has an unknown or repeated parameter.");
    read[name] = checked(schema, name, value);
  }
  return read;
}

function checked(schema: z.ZodType, name: string, value: unknown): string {
  if (typeof value !== "string" || !schema.safeParse(value).success)
    throw new HandoffError("invalid_request_shape", `Parameter ${name} is not valid.`);
  return value;
}
