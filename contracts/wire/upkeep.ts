import { z } from "zod";
import { Count } from "../names.ts";

/** `cursor` is that of the answer before; null to begin. */
export const CollectRequest = z.strictObject({
  older_than_seconds: z
    .int()
    .min(0)
    .max(10 * 366 * 86_400),
  dry_run: z.boolean(),
  cursor: z
    .string()
    .regex(/^(unused|stray):([0-9a-f]{64})?$/)
    .nullable(),
});
export type CollectRequest = z.infer<typeof CollectRequest>;

/** What one call removed, or would have; null as cursor: there is nothing more. */
export const CollectAnswer = z.strictObject({
  blobs: Count.describe("that nothing refers to"),
  blob_bytes: Count,
  strays: Count.describe("bytes without a row: left by an upload that was cut off"),
  stray_bytes: Count,
  cursor: z.string().nullable(),
});
export type CollectAnswer = z.infer<typeof CollectAnswer>;
