import { HandoffError } from "../core/error.ts";
import { collectEvidence } from "../join/collect.ts";
import { withClient } from "./administer.ts";
import type { CliContext } from "./context.ts";
import { readToken } from "./read-token.ts";

export interface OnlineFlags {
  job?: string;
  gateway?: string;
  tokenFile?: string;
  allowInsecure?: true;
}

/** Collects a job's evidence into a folder that does not exist yet, with a checker's token. */
export async function collectJob(flags: OnlineFlags, folder: string, context: CliContext): Promise<void> {
  const { job, gateway: url, tokenFile } = flags;
  if (job === undefined || url === undefined || tokenFile === undefined)
    throw new HandoffError("USAGE_ARGUMENT", "Give --job, --gateway and --token-file, or evidence folders.");
  const connection = {
    url,
    token: await readToken(tokenFile),
    allowInsecure: flags.allowInsecure === true,
    context,
    maxWaitMs: 30_000,
  };
  await withClient(connection, (client) =>
    collectEvidence({ client, jobId: job, folder, clock: context.clock }),
  );
}
