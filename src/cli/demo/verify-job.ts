import { readFile } from "node:fs/promises";
import { JoinReport } from "../../../contracts/documents/join-report.ts";
import { readDocument } from "../../core/json/read-document.ts";
import { type OwnRun, runOwn } from "../own-process.ts";
import { type Anchor, ended, type Play } from "./play.ts";

export interface Checking extends Anchor {
  readonly checker: string;
  /** More flags of `join verify`. */
  readonly more: readonly string[];
  /** Where those make it write its report. */
  readonly report: string;
  /** 0 accepted, 1 rejected. */
  readonly exit: 0 | 1;
}

/** One `join verify` process, anchored by job and gateway; any other end than the expected one is DEMO_FAILED. */
export async function verifyJob(
  { context, gateway }: Play,
  { jobId, jobSha256, checker, more, report, exit }: Checking,
): Promise<{ report: JoinReport; run: OwnRun }> {
  const args = ["verify", "--job", jobId, "--gateway", gateway.url, "--token-file", checker];
  args.push("--expect-job", jobSha256, "--expect-gateway", gateway.gatewayId, ...more);
  const run = await runOwn({ program: "join", args, context });
  if (run.exitCode !== exit) throw ended("join verify", run);
  const read = readDocument(JoinReport, await readFile(report));
  if (!read.ok) throw ended("join verify", run);
  return { report: read.value, run };
}
