import { z } from "zod";
import { CheckerRecord, TaskRecord, WorkerRecord } from "../documents/records.ts";
import { CheckerUuid, FreeText, Label, WorkerUuid } from "../names.ts";
import { TOKEN } from "../patterns.ts";

/** Shown once, stored as a hash. */
export const Token = z.string().regex(TOKEN);

export const RegisterWorkerRequest = z.strictObject({
  name: Label,
  operator: Label.nullable(),
  public_key: FreeText.max(2_000).nullable(),
});
export type RegisterWorkerRequest = z.infer<typeof RegisterWorkerRequest>;
export const RegisterWorkerAnswer = z.strictObject({ worker_uuid: WorkerUuid, token: Token });
export const RegisterCheckerRequest = z.strictObject({ name: Label });
export const RegisterCheckerAnswer = z.strictObject({ checker_uuid: CheckerUuid, token: Token });
/** `cursor` is the last worker of the page before; null in the answer on the last page. */
export const WorkerList = z.strictObject({ workers: z.array(WorkerRecord), cursor: z.string().nullable() });
export type WorkerList = z.infer<typeof WorkerList>;
export const CheckerList = z.strictObject({ checkers: z.array(CheckerRecord) });

/** `cursor` is the last task id of the page before; null in the answer on the last page. */
export const TaskList = z.strictObject({ tasks: z.array(TaskRecord), cursor: z.string().nullable() });
export type TaskList = z.infer<typeof TaskList>;
export const Health = z.strictObject({ status: z.enum(["ok", "unavailable"]) });
