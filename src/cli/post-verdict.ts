import type { ExitCode } from "../../contracts/codes/entry.ts";
import type { JoinReport } from "../../contracts/documents/join-report.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { asHandoffError, HandoffError } from "../core/error.ts";
import type { GatewayClient } from "../gateway-client/client.ts";
import { guiltOf, postOf } from "../join/post.ts";
import { exitOfReport } from "../join/report/exit-of-report.ts";
import type { EvidenceVerdict } from "../join/verify-evidence.ts";
import { withClient } from "./administer.ts";
import type { CliContext } from "./context.ts";
import { errorLines } from "./error-lines.ts";
import type { JoinVerifyFlags } from "./flags/join.ts";
import { readToken } from "./read-token.ts";

interface Posting {
  /** As it was written. */
  readonly report: JoinReport;
  readonly pins: EvidenceVerdict["pins"];
  readonly flags: JoinVerifyFlags;
  readonly context: CliContext;
}

/** Before any work: USAGE_ARGUMENT for flags that lack another, USAGE_TOKEN_FILE for a file without a token. */
export async function refuseWrongPost(flags: JoinVerifyFlags): Promise<void> {
  const need = (ok: boolean, sentence: string): void => {
    if (!ok) throw new HandoffError("USAGE_ARGUMENT", sentence);
  };
  if (flags.reopenRejected === true) {
    need(flags.post === true, "--reopen-rejected needs --post.");
    // a folder may have been changed since it was collected: it takes nobody's work away
    need(flags.job !== undefined, "--reopen-rejected needs --job: evidence that this run collects itself.");
    need(flags.adminTokenFile !== undefined, "--reopen-rejected needs --admin-token-file.");
    await readToken(flags.adminTokenFile ?? "");
  }
  need(flags.report !== undefined, "--post needs --report: the digest that is posted is of that file.");
  need(
    flags.gateway !== undefined && flags.tokenFile !== undefined,
    "--post needs --gateway and --token-file.",
  );
  await readToken(flags.tokenFile ?? "");
}

/**
 * Posts a verdict that is written already and, where that was asked for, reopens the guilty slot. The exit code
 * of the verdict, or that of what stood in the way, told on stderr: stdout has the report.
 */
export async function postVerdict(posting: Posting): Promise<ExitCode> {
  const { report, flags, context } = posting;
  try {
    await withToken(posting, flags.tokenFile, (client) => post(client, posting));
    if (flags.reopenRejected === true && report.verdict === "rejected")
      await withToken(posting, flags.adminTokenFile, (client) => reopenGuilty(client, posting));
    return exitOfReport(report);
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    const error = asHandoffError(thrown);
    context.err(errorLines(error));
    return error.exit;
  }
}

async function withToken(
  { flags, context }: Posting,
  tokenFile: string | undefined,
  work: (client: GatewayClient) => Promise<void>,
): Promise<void> {
  const { gateway: url = "", allowInsecure } = flags;
  const token = await readToken(tokenFile ?? "");
  const connection = { url, token, allowInsecure: allowInsecure === true, context, maxWaitMs: 30_000 };
  await withClient(connection, work);
}

async function post(client: GatewayClient, { report, pins, context }: Posting): Promise<void> {
  const verdict = postOf(report, pins);
  if (verdict === null) return context.err("not posted: an undecided verdict decides nothing\n");
  const { value } = await client.postVerdict(verdict);
  const since = value.superseded ? ", on a result that has been superseded since" : "";
  context.err(
    `posted: ${value.object_key} version ${value.version_num}, ${verdict.verdict}, report ${verdict.report_sha256}${since}\n`,
  );
}

/** Reopened by someone else meanwhile is as good; a newer result is never taken away. */
const AS_GOOD = new Set(["version_superseded", "not_done"]);

async function reopenGuilty(client: GatewayClient, { report, pins, context }: Posting): Promise<void> {
  const guilt = guiltOf(report);
  if ("none" in guilt) return context.err(`nothing reopened: ${guilt.none}\n`);
  for (const { slot, reason } of guilt.slots) {
    const task_id = slotTaskId(report.job_id ?? "", slot);
    const version = pins[slot]?.version_num;
    try {
      const { value } = await client.reopen({
        task_id,
        reason,
        ...(version === undefined ? {} : { version }),
      });
      context.err(`reopened: ${value.task_id} version ${value.version}, for ${reason}\n`);
    } catch (thrown) {
      if (!(thrown instanceof HandoffError && AS_GOOD.has(thrown.code))) throw thrown;
      context.err(`reopened already: ${task_id} (${thrown.code})\n`);
    }
  }
}
