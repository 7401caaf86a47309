import { collectJob } from "../collect-job.ts";
import type { CliContext } from "../context.ts";
import type { JoinCollectFlags } from "../flags/join.ts";

/** Leaves an evidence folder and judges nothing. */
export async function joinCollect(flags: JoinCollectFlags, context: CliContext): Promise<void> {
  await collectJob(flags, flags.out, context);
  context.out(
    flags.json ? `${JSON.stringify({ evidence: flags.out })}\n` : `evidence collected into ${flags.out}\n`,
  );
}
