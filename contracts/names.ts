import { z } from "zod";
import { SLOTS, type Slot } from "./flow.ts";
import { SHA256_HEX } from "./patterns.ts";

/** Lower-case hex SHA-256. */
export const Sha256 = z.string().regex(SHA256_HEX);
export const JobId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/);
/** Worker, checker and gateway ids: prefix and a lower-case version 4 UUID; no other spelling is valid. */
const uuid4 = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
export const WorkerUuid = z.string().regex(new RegExp(`^w_${uuid4}$`));
export const CheckerUuid = z.string().regex(new RegExp(`^c_${uuid4}$`));
export const GatewayId = z.string().regex(new RegExp(`^g_${uuid4}$`));
export const SlotName = z.enum(SLOTS);
/** Task ids: printable ASCII without spaces, as they stand in paths. */
export const TaskId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/);
export const IdempotencyKey = z.string().regex(/^[A-Za-z0-9._:-]{1,255}$/);
/** RFC 3339, UTC, whole seconds, ending in Z. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/);
export const Count = z.int().min(0);
export const Positive = z.int().min(1);
export const Fence = z.int().min(1);
export const FrameNumber = z.int().min(0).max(1_048_574);
/** A string of people's making: shown escaped, never interpreted. */
export const Label = z.string().min(1).max(200);

/** `task_id` of a slot, and the key of the object that its accepted submit publishes. */
export const slotTaskId = (jobId: string, slot: Slot): string => `${jobId}.${slot}`;

/** Key of the object that holds the verdicts on a job. */
export const joinKey = (jobId: string): string => `${jobId}.join`;

export { FRAME_NAME, frameName, framesOf, MANIFEST_NAME } from "./frame-names.ts";
