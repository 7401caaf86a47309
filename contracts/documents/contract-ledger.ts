import { z } from "zod";
import { JsonObject, JsonValue } from "../json-value.ts";
import { Count, Fence, Positive, SlotName } from "../names.ts";
import { plainRecord } from "../plain-record.ts";
import { Job } from "./job.ts";
import { POSTED_VERDICTS } from "./verdict.ts";

/** Names inside a case; the player makes ids of its own run out of them. */
const Name = z.string().regex(/^[a-z][a-z0-9]{0,15}$/);
const TaskName = z.string().regex(/^[a-z][a-z0-9]{0,15}(\.[ab])?$/);
const Key = z.string().min(1).max(300);
/** Several are sent as that many headers. */
const Keys = z.union([Key, z.array(Key).min(2).max(3)]);

/** What an answer must be; each member that is there must hold. */
export const Expect = z.strictObject({
  code: z.string().min(1).describe("ok, or the code of the problem document"),
  status: z.int().min(100).max(599).optional(),
  fence: Fence.optional(),
  state: z.enum(["ready", "leased", "done"]).optional(),
  version: Positive.optional(),
  object_version: Positive.optional(),
  nodes: z.array(z.string()).optional().describe("of a graph: `key/version`, keys as in the case"),
  edges: z.array(z.string()).optional().describe("of a graph: `key/version key/version`"),
  tasks: z.array(TaskName).optional().describe("of a list: its tasks, by name"),
  events: z.array(z.string()).optional().describe("kinds of the events of a task, in order"),
  replayed: z.boolean().optional(),
  superseded: z.boolean().optional(),
  lease_at_most: Count.optional().describe("seconds"),
  lease_at_least: Count.optional().describe("seconds"),
  retry_after: z.boolean().optional().describe("a Retry-After of whole seconds is there"),
  same_as: Name.optional().describe("the answer's bytes are those that were saved under this name"),
  not_same_as: Name.optional(),
  receipt_of: Name.optional().describe("eight fields, canonical, digests recomputed from the saved body"),
});
export type Expect = z.infer<typeof Expect>;

const expect = Expect;
/** Saves the answer's bytes. */
const save = Name.optional();
const Text = z.string().min(1).max(10_000).describe("{task} stands for the task's id");
const held = { task: TaskName, worker: Name, fence: Fence };
const as = Name.optional().describe("the worker whose token is sent, where it is not `worker`");

export const LedgerStep = z.discriminatedUnion("do", [
  z.strictObject({
    do: z.literal("enqueue"),
    task: TaskName,
    payload: JsonValue,
    lease_seconds: Positive,
    expect,
  }),
  z.strictObject({
    do: z.literal("put_job"),
    job: Name,
    limits: plainRecord(z.record(z.string(), Positive)).optional(),
    distinct: z.enum(["worker", "operator"]).optional(),
    distinct_at_claim: z.boolean().optional(),
    expect,
  }),
  z.strictObject({
    do: z.literal("claim"),
    task: TaskName,
    worker: Name,
    as,
    key: Keys.optional(),
    save,
    expect,
  }),
  z.strictObject({
    do: z.literal("race"),
    task: TaskName,
    workers: z.array(Name).min(2).max(8),
    loser: z.string().min(1).describe("code of all but exactly one"),
  }),
  z.strictObject({ do: z.literal("heartbeat"), ...held, as, expect }),
  z.strictObject({ do: z.literal("release"), ...held, as, expect }),
  z.strictObject({
    do: z.literal("upload"),
    ...held,
    text: Text,
    omit_fence: z.boolean().optional(),
    wrong: z.literal("digest").optional().describe("as many other bytes are sent than those of the path"),
    expect,
  }),
  z
    .strictObject({ do: z.literal("upload_cut"), ...held, text: Text })
    .describe(
      "one byte more is stated than is sent before the connection ends; nothing but success is wrong",
    ),
  z.strictObject({
    do: z.literal("submit"),
    ...held,
    as,
    key: Keys.nullable(),
    result: JsonValue,
    form: z.enum(["canonical", "spaced"]).optional(),
    save,
    save_body: Name.optional(),
    expect,
  }),
  z.strictObject({
    do: z.literal("submit_raw"),
    task: TaskName,
    worker: Name,
    key: Keys.nullable(),
    body: z.string().max(10_000).describe("{task} and {worker} stand for the ids"),
    expect,
  }),
  z.strictObject({
    do: z.literal("submit_slot"),
    job: Name,
    slot: SlotName,
    worker: Name,
    fence: Fence,
    key: Key,
    bundle: z.string().min(1).max(10_000),
    change: JsonObject.optional(),
    save,
    save_body: Name.optional(),
    expect,
  }),
  z.strictObject({
    do: z.literal("reopen"),
    task: TaskName,
    version: Positive.optional().describe("only while this is the current version"),
    expect,
  }),
  z.strictObject({
    do: z.literal("post_verdict"),
    job: Name,
    checker: Name,
    as,
    verdict: z.enum(POSTED_VERDICTS),
    report: z.string().min(1).max(100).describe("the report is these words"),
    on: z.strictObject({ a: Positive, b: Positive }).describe("versions of the slots' objects"),
    wrong: z.enum(["digest", "job", "gateway"]).optional().describe("what the verdict names wrongly"),
    save,
    expect,
  }),
  z.strictObject({
    do: z.literal("read_graph"),
    root: z.string().regex(/^[a-z][a-z0-9]{0,15}\.(a|b|join)$/),
    version: Positive.optional(),
    save,
    expect,
  }),
  z.strictObject({ do: z.literal("revoke"), worker: Name, expect }),
  z.strictObject({
    do: z.literal("revoke_others"),
    keep: z.array(Name).describe("every other worker of the run is revoked; its name is free again"),
  }),
  z.strictObject({
    do: z.enum(["read_task", "read_receipt", "read_request"]),
    task: TaskName,
    as,
    version: Positive.optional(),
    save,
    expect,
  }),
  z.strictObject({ do: z.literal("read_tasks"), job: Name, as, expect }),
  z.strictObject({ do: z.literal("read_job"), job: Name, as, expect }),
  z.strictObject({ do: z.literal("read_blob"), task: TaskName, text: Text, as, expect }),
  z.strictObject({ do: z.literal("read_object"), task: TaskName, as, version: Positive.optional(), expect }),
  z.strictObject({
    do: z.literal("read_events"),
    after: Name.optional().describe("a cursor that was saved; from now on where there is none"),
    task: TaskName.optional(),
    save: Name.optional().describe("the cursor of the greeting `ready`"),
    expect,
  }),
  z.strictObject({ do: z.literal("wait"), seconds: Positive }),
  z.strictObject({ do: z.literal("wait_expiry"), task: TaskName }),
  z.strictObject({ do: z.literal("kill_gateway") }),
  z.strictObject({
    do: z.literal("drain_outbox"),
    job: Name,
    slot: SlotName,
    worker: Name,
    fence: Fence,
    bundle: z.string().min(1).max(10_000),
    sent: z.boolean().describe("whether the gateway has accepted the row before, its answer lost"),
  }),
]);
export type LedgerStep = z.infer<typeof LedgerStep>;

export const LedgerCase = z.strictObject({
  rule: z.string().min(1),
  title: z.string().min(1).max(300),
  operators: z
    .record(Name, z.string().min(1).max(100))
    .optional()
    .describe("of workers whose names no other case has; all others have none"),
  steps: z.array(LedgerStep).min(1).max(100),
});
export type LedgerCase = z.infer<typeof LedgerCase>;

/** `ledger.json`: steps with their expected outcomes; a base job and slot result where cases need slots. */
export const ContractLedger = z.strictObject({
  schema: z.literal("render_handoff.contract_ledger.v1"),
  job: z.strictObject({ document: Job, scene: z.string().min(1) }).nullable(),
  slot_result: JsonObject.nullable(),
  cases: z.array(LedgerCase).max(500),
});
export type ContractLedger = z.infer<typeof ContractLedger>;
