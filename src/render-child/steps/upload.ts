import { join } from "node:path";
import { HandoffError, systemCode } from "../../core/error.ts";
import type { OutboxRow } from "../../gateway-client/outbox.ts";
import type { RunContext } from "../context.ts";
import { BUNDLE_NAME } from "./bundle.ts";

const BROKEN = new Set(["GATEWAY_UNREACHABLE", "GATEWAY_TIMEOUT", "GATEWAY_CONNECTION_LOST"]);

/**
 * Stores the bundle under the row's fence; the same bytes again are no harm. Throws UPLOAD_FAILED,
 * STATE_OUTBOX_LOST or the refusal.
 */
export async function upload(run: RunContext, row: OutboxRow): Promise<void> {
  run.report.step = "upload";
  try {
    await run.client.putBlob({
      path: join(run.state.folder, row.folder, BUNDLE_NAME),
      sha256: row.bundle_sha256,
      bytes: row.bundle_bytes,
      lease: { taskId: row.task_id, fence: row.fencing_token },
    });
  } catch (thrown) {
    if (thrown instanceof HandoffError && BROKEN.has(thrown.code))
      throw new HandoffError("UPLOAD_FAILED", thrown.message, { cause: thrown });
    if (systemCode(thrown) === "ENOENT")
      throw new HandoffError("STATE_OUTBOX_LOST", `Task ${row.task_id}: ${row.folder}/${BUNDLE_NAME}.`, {
        cause: thrown,
      });
    if (!(thrown instanceof HandoffError) && systemCode(thrown) !== undefined)
      throw new HandoffError("UPLOAD_FAILED", systemCode(thrown), { cause: thrown });
    throw thrown;
  }
}
