import { join } from "node:path";
import { HandoffError } from "../core/error.ts";
import type { OutboxRow } from "../gateway-client/outbox.ts";
import type { RunContext } from "./context.ts";
import { removeTree, tryCleanup } from "./run-folder.ts";
import { submit } from "./steps/submit.ts";
import { upload } from "./steps/upload.ts";

/** Refusals after which the same bytes can never be accepted. */
const FINAL = new Set([
  "not_ready",
  "task_unknown",
  "idempotency_conflict",
  "invalid_request_shape",
  "invalid_json",
  "duplicate_json_key",
  "result_invalid",
  "blob_too_large",
  "body_too_large",
  "worker_identity_mismatch",
]);

export interface Delivery {
  /** The bundle may be there already. */
  readonly uploaded: boolean;
  /** Called before the submit that follows an upload. */
  readonly onSubmit?: () => void;
}

/**
 * Hands in a row of the outbox: uploads unless told that it may be there already, submits, stores the
 * receipt, clears up. A fence that is stale discards the submit and keeps the frames; a final refusal
 * discards both, and so does the operator's word where the files are gone (STATE_OUTBOX_LOST). Throws
 * LEASE_LOST, SUBMIT_REFUSED, or what may be tried again with the same row.
 */
export async function deliver(run: RunContext, row: OutboxRow, options: Delivery): Promise<void> {
  try {
    const receipt = await handIn(run, row, options);
    await run.options.faultPoint?.("after_receipt");
    run.state.outbox.finish(row.key, receipt);
    run.state.jobs.setClaimKey(row.task_id, null);
    run.state.jobs.record({
      taskId: row.task_id,
      fence: row.fencing_token,
      state: "submitted",
      reason: null,
    });
  } catch (thrown) {
    throw await discarded(run, row, thrown);
  }
  await tryCleanup(run, () => dropFolder(run, row));
}

/** The receipt is looked up before the lease, so that a submit whose answer was lost is found again. */
async function handIn(run: RunContext, row: OutboxRow, options: Delivery): Promise<Buffer> {
  const { report } = run;
  if (options.uploaded) {
    try {
      return await report.timed("submit", () => submit(run, row));
    } catch (thrown) {
      if (!(thrown instanceof HandoffError) || thrown.code !== "blob_missing") throw thrown;
    }
  }
  await report.timed("upload", () => upload(run, row));
  await run.options.faultPoint?.("after_upload");
  options.onSubmit?.();
  return report.timed("submit", () => submit(run, row));
}

async function discarded(run: RunContext, row: OutboxRow, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof HandoffError)) return thrown;
  const stale = thrown.code === "stale_or_invalid_lease";
  const givenUp = thrown.code === "STATE_OUTBOX_LOST" && run.options.discardLost === true;
  if (!stale && !givenUp && !FINAL.has(thrown.code)) return thrown;
  run.state.outbox.discard(row.key, thrown.code);
  run.state.jobs.setClaimKey(row.task_id, null);
  run.state.jobs.record({
    taskId: row.task_id,
    fence: row.fencing_token,
    state: "lost",
    reason: thrown.code,
  });
  // frames of a lost lease are good for another claim; those that were refused are not
  if (stale)
    return new HandoffError("LEASE_LOST", "The frames are kept for another claim.", { cause: thrown });
  run.state.outbox.forgetFolder(row.folder);
  await tryCleanup(run, () => removeTree(join(run.state.folder, row.folder)));
  return new HandoffError("SUBMIT_REFUSED", thrown.message, { cause: thrown, details: [thrown.code] });
}

/** Removes the run's folder, and those of earlier attempts at the same work. */
async function dropFolder(run: RunContext, row: OutboxRow): Promise<void> {
  await run.options.faultPoint?.("during_cleanup");
  await removeTree(join(run.state.folder, row.folder));
  run.state.outbox.forgetFolder(row.folder);
  for (let old = run.state.outbox.reusable(row); old !== null; old = run.state.outbox.reusable(row)) {
    run.state.outbox.forgetFolder(old.folder);
    await removeTree(join(run.state.folder, old.folder));
  }
}

/**
 * Every run's first traffic: rows that earlier runs left. Work that was lost or refused meanwhile is no
 * fault of this run. Throws what stands in the way of handing in. The rows that were accepted now.
 */
export async function drain(run: RunContext): Promise<OutboxRow[]> {
  const accepted: OutboxRow[] = [];
  for (const row of run.state.outbox.pending()) {
    if (row.gateway_id !== run.gatewayId) continue;
    try {
      await deliver(run, row, { uploaded: true });
      accepted.push(row);
      run.state.jobs.record({
        taskId: row.task_id,
        fence: row.fencing_token,
        state: "drained",
        reason: null,
      });
    } catch (thrown) {
      const settled =
        thrown instanceof HandoffError && ["LEASE_LOST", "SUBMIT_REFUSED"].includes(thrown.code);
      if (!settled) throw thrown;
      run.options.logger.log("warning", "discarded", {
        step: "submit",
        code: thrown.code,
        task_id: row.task_id,
      });
    }
  }
  return accepted;
}
