import { join } from "node:path";
import type { ChildResult } from "../../../contracts/documents/child-result.ts";
import { runChild } from "../../render-child/run.ts";
import type { CliContext } from "../context.ts";
import { drawProgress } from "../draw-progress.ts";
import type { RenderChildFlags } from "../flags/render-child.ts";
import { metadataWish } from "../metadata-wish.ts";
import { openMetricsFile } from "../metrics-file.ts";
import { stateHome } from "../state-home.ts";
import { tellFailure } from "../tell-failure.ts";
import { workerOf } from "../worker-of.ts";

/** One run; prints its result and sets the exit code that belongs to it. */
export async function renderChild(flags: RenderChildFlags, context: CliContext): Promise<void> {
  const { token, workerUuid } = await workerOf(flags.tokenFile);
  const progress = drawProgress(context);
  const stateFolder = flags.state ?? join(stateHome(context), workerUuid);
  const metadata = await metadataWish(flags, stateFolder);
  const metrics = await openMetricsFile(flags.metricsFile, context);
  const result = await runChild({
    slot: flags.slot,
    jobId: flags.job ?? null,
    gatewayUrl: flags.gateway,
    allowInsecure: flags.allowInsecure === true,
    workerUuid,
    token,
    stateFolder,
    blender: flags.blender ?? null,
    threads: flags.threads,
    allowScripts: flags.allowScripts === true,
    trustScenes: flags.trustScenes === true,
    drainOnly: flags.drainOnly === true,
    discardLost: flags.discardLost === true,
    maxWaitSeconds: flags.maxWait,
    ...(metadata === null ? {} : { metadata }),
    signal: context.signal,
    clock: context.clock,
    logger: context.terminal ? { log: () => {} } : context.logger,
    onProgress: (at) => {
      metrics.see(at);
      progress.show(at);
    },
  });
  await metrics.write(result);
  progress.end();
  context.out(flags.json ? `${JSON.stringify(result)}\n` : told(result));
  tellFailure(result, context);
}

function told(result: ChildResult): string {
  const about = [
    result.task_id,
    result.fencing_token === null ? null : `fence ${result.fencing_token}`,
    result.reason,
    result.next_due_utc === null ? null : `next due ${result.next_due_utc}`,
    result.bundle_sha256 === null ? null : `bundle ${result.bundle_sha256}`,
    result.reused ? "frames of an earlier run" : null,
  ].filter((part) => part !== null);
  return `${[result.outcome, ...about].join("  ")}\n`;
}
