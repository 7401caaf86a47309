import { z } from "zod";
import { SLOTS } from "./flow.ts";
import { SHA256_HEX, uuid4With, WITHOUT_NUL, WORKER_UUID } from "./patterns.ts";

/** Lower-case hex SHA-256. */
export const Sha256 = z.string().regex(SHA256_HEX);
export const JobId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/);
/** Worker, checker and gateway ids: prefix and a lower-case version 4 UUID; no other spelling is valid. */
export const WorkerUuid = z.string().regex(WORKER_UUID);
export const CheckerUuid = z.string().regex(uuid4With("c_"));
export const GatewayId = z.string().regex(uuid4With("g_"));
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
/** A text of people's or workers' making. No store of every kind can hold U+0000, so none is given it. */
export const FreeText = z.string().regex(WITHOUT_NUL);
/** A string of people's making: shown escaped, never interpreted. */
export const Label = FreeText.min(1).max(200);

export { FRAME_NAME, frameName, framesOf, MANIFEST_NAME } from "./frame-names.ts";
export { joinKey, slotTaskId } from "./task-names.ts";
