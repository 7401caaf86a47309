import { z } from "zod";
import { Positive, Sha256, TaskId, Timestamp } from "../names.ts";

/** The same for the same verdict of the same checker, for ever. */
export const VerdictAnswer = z.strictObject({
  object_key: TaskId,
  version_num: Positive,
  sha256_hash: Sha256.describe("over the canonical form of the verdict"),
  created_at: Timestamp,
});
export type VerdictAnswer = z.infer<typeof VerdictAnswer>;
