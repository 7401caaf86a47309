import type { Verdict } from "../../../contracts/documents/verdict.ts";
import { SLOTS } from "../../../contracts/flow.ts";
import { joinKey, slotTaskId } from "../../../contracts/names.ts";
import type { VerdictAnswer } from "../../../contracts/wire/verdict.ts";
import { timestamp } from "../../core/clock.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { event } from "./event.ts";
import type { Queue } from "./queue.ts";
import type { VerdictRow } from "./rows.ts";
import type { ReadRows, WriteRows } from "./store.ts";

export interface PostedVerdict {
  readonly answer: VerdictAnswer;
  readonly replayed: boolean;
  /** A slot was reopened since: the verdict is about a version that is not the current one. */
  readonly superseded: boolean;
}

/**
 * Stores a checker's verdict as the next version of the object `<job_id>.join`, built on the two slot objects
 * that it names. The same verdict of the same checker again is the version that it was. Refuses with
 * job_unknown, or pin_mismatch where gateway, job or slot objects are not those of this gateway.
 */
export async function postVerdict(
  queue: Queue,
  checkerUuid: string,
  verdict: Verdict,
): Promise<PostedVerdict> {
  const payload = canonicalBytes(verdict);
  const digest = sha256(payload);
  const key = joinKey(verdict.job_id);
  return queue.store.write(async (rows) => {
    // the job's slots are locked from here on: versions are given out one after another
    const superseded = await checkPins(rows, verdict);
    const old = await rows.verdictOf(key, checkerUuid, digest);
    if (old !== null) return { answer: answerOf(old), replayed: true, superseded };
    const row: VerdictRow = {
      key,
      version: ((await rows.verdict(key, null, null))?.version ?? 0) + 1,
      verdict: verdict.verdict,
      checkerUuid,
      producer: (await rows.checker(checkerUuid))?.name ?? checkerUuid,
      payload: payload.toString("utf8"),
      sha256: digest,
      createdAt: await rows.now(),
    };
    await insert(rows, row, verdict);
    return { answer: answerOf(row), replayed: false, superseded };
  });
}

/** Whether a slot was reopened since; pin_mismatch where what was pinned was never here. */
async function checkPins(rows: ReadRows, verdict: Verdict): Promise<boolean> {
  const job = await rows.job(verdict.job_id);
  if (job === null) throw new HandoffError("job_unknown");
  if (job.sha256 !== verdict.job_sha256) throw new HandoffError("pin_mismatch", "It is another job.");
  if ((await rows.meta("gateway_id")) !== verdict.gateway_id)
    throw new HandoffError("pin_mismatch", "It is of another gateway.");
  let superseded = false;
  for (const slot of SLOTS) {
    const pin = verdict.built_on[slot];
    const taskId = slotTaskId(verdict.job_id, slot);
    const task = await rows.task(taskId);
    if ((await rows.objectDigest(taskId, pin.version_num)) !== pin.sha256_hash)
      throw new HandoffError("pin_mismatch", `Object ${taskId}, version ${pin.version_num}.`);
    superseded ||= task?.version !== pin.version_num;
  }
  return superseded;
}

async function insert(rows: WriteRows, row: VerdictRow, verdict: Verdict): Promise<void> {
  await rows.insertVerdict(row);
  for (const slot of SLOTS) {
    const pin = verdict.built_on[slot];
    await rows.insertEdge({
      sourceKey: row.key,
      sourceVersion: row.version,
      targetKey: slotTaskId(verdict.job_id, slot),
      relation: "verifies",
      targetVersion: pin.version_num,
      targetSha256: pin.sha256_hash,
    });
  }
  await rows.insertEvent(
    event({
      at: row.createdAt,
      kind: "verdict_posted",
      jobId: verdict.job_id,
      detail: { verdict: row.verdict, report_sha256: verdict.report_sha256, version: row.version },
    }),
  );
}

const answerOf = (row: VerdictRow): VerdictAnswer => ({
  object_key: row.key,
  version_num: row.version,
  sha256_hash: row.sha256,
  created_at: timestamp(row.createdAt),
});
