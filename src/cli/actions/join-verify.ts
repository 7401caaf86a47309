import { lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { EXIT, type ExitCode } from "../../../contracts/codes/entry.ts";
import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import type { Policy } from "../../../contracts/documents/policy.ts";
import { HandoffError } from "../../core/error.ts";
import { harmless } from "../../core/escape.ts";
import { assemble } from "../../join/assemble.ts";
import { beginDecoding } from "../../join/begin-decoding.ts";
import type { Decoders } from "../../join/decode/run-plan.ts";
import { exitOfReport } from "../../join/report/exit-of-report.ts";
import { reportText } from "../../join/report/report-text.ts";
import type { Origin } from "../../join/report/reproduce.ts";
import { renderSummary } from "../../join/report/summary.ts";
import type { Guess } from "../../join/verdict.ts";
import { type EvidenceVerdict, verifyEvidence } from "../../join/verify-evidence.ts";
import type { CliContext } from "../context.ts";
import { isFolder, takeDecoders } from "../decoders-ahead.ts";
import type { JoinVerifyFlags } from "../flags/join.ts";
import { refuseSameFile, refuseUnwritable, writeOutput } from "../output-file.ts";
import { withDecoders } from "../with-decoders.ts";

interface Call {
  readonly evidence: string[];
  readonly flags: JoinVerifyFlags;
  readonly context: CliContext;
}

/** Verifies folders, or a job of a gateway through a folder of its own that is removed afterwards. */
export async function joinVerify({ evidence, flags, context }: Call): Promise<void> {
  await refuseWrongCall(evidence, flags);
  if (evidence.length > 0) {
    const exit = await verifyAll(evidence, flags, context);
    return context.setExit(exit);
  }
  const scratch = await mkdtemp(join(tmpdir(), "render-handoff-join-"));
  try {
    const { collectJob } = await import("../collect-job.ts"); // a folder needs no network
    const folder = join(scratch, "evidence");
    await collectJob(flags, folder, context);
    const exit = await verifyAll([folder], flags, context);
    context.setExit(exit);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function refuseWrongCall(evidence: readonly string[], flags: JoinVerifyFlags): Promise<void> {
  if (evidence.length > 0 && flags.job !== undefined)
    throw new HandoffError("USAGE_ARGUMENT", "Give evidence folders or --job, not both.");
  if (evidence.length > 1 && (flags.out ?? flags.report ?? flags.html ?? flags.sarif) !== undefined)
    throw new HandoffError("USAGE_ARGUMENT", "--out, --report, --html and --sarif take one evidence folder.");
  if (flags.post === true || flags.reopenRejected === true)
    await (await import("../post-verdict.ts")).refuseWrongPost(flags);
  for (const folder of evidence)
    if (!isFolder(folder)) throw new HandoffError("USAGE_FILE_UNREADABLE", `${folder} is no folder.`);
  if (flags.out !== undefined && (await lstat(flags.out).catch(() => null)) !== null)
    throw new HandoffError("USAGE_OUTPUT_EXISTS", `It is ${flags.out}.`);
  const { out, report, sarif, html, policy, tokenFile, adminTokenFile } = flags;
  for (const file of [report, sarif, html]) await refuseUnwritable(file);
  await refuseSameFile(
    { "--out": out, "--report": report, "--html": html, "--sarif": sarif },
    { "--policy": policy, "--token-file": tokenFile, "--admin-token-file": adminTokenFile },
  );
}

interface Verifying {
  readonly context: CliContext;
  readonly decoders: Decoders;
  readonly begun?: Guess | null;
  /** One of many, which says which one it is. */
  readonly named?: boolean;
}

/** With threads for all of them: starting those takes as long as decoding some frames. */
const verifyAll = (
  folders: readonly string[],
  flags: JoinVerifyFlags,
  context: CliContext,
): Promise<ExitCode> =>
  withDecoders(takeDecoders(folders), context, (decoders) =>
    verifyEach(folders, flags, { context, decoders }),
  );

/** One after another; the decoders have the next one's work while the verdict about one is made. */
async function verifyEach(
  folders: readonly string[],
  flags: JoinVerifyFlags,
  { context, decoders }: { readonly context: CliContext; readonly decoders: Decoders },
): Promise<ExitCode> {
  const begin = (folder: string | undefined): Guess | null =>
    folder === undefined
      ? null
      : beginDecoding({ folder, secondDecoder: flags.secondDecoder === true }, decoders);
  let worst: ExitCode = EXIT.ok;
  let next = begin(folders[0]);
  for (const [at, folder] of folders.entries()) {
    const begun = next;
    next = begin(folders[at + 1]);
    const named = folders.length > 1;
    worst = worse(worst, await verifyOne(folder, flags, { context, decoders, begun, named }));
  }
  return worst;
}

async function verifyOne(
  folder: string,
  flags: JoinVerifyFlags,
  { context, named = false, ...decoding }: Verifying,
): Promise<ExitCode> {
  context.signal.throwIfAborted();
  const verdict = await verifyEvidence({
    folder,
    ...decoding,
    policy: await policyOf(flags),
    strictContent: flags.strictContent === true,
    secondDecoder: flags.secondDecoder === true,
    expectJob: flags.expectJob ?? null,
    expectGateway: flags.expectGateway ?? null,
    clock: context.clock,
  });
  context.signal.throwIfAborted();
  const origin: Origin = {
    evidence: flags.job === undefined ? nearBy(folder, context) : null,
    policyFile: flags.policy === undefined ? null : nearBy(flags.policy, context),
    given: verdict.given,
  };
  const report = await told({ verdict, origin, flags, context });
  context.signal.throwIfAborted();
  if (flags.report !== undefined) await writeOutput(flags.report, reportText(report));
  if (flags.sarif !== undefined) {
    const { sarifOf } = await import("../../join/report/sarif.ts");
    await writeOutput(flags.sarif, `${JSON.stringify(sarifOf(report, origin), null, 2)}\n`);
  }
  const name = named ? (belowHere(folder, context) ?? folder) : null;
  context.out(flags.json === true ? line(name, report) : text(name, report, context));
  if (flags.post !== true) return exitOfReport(report);
  const { postVerdict } = await import("../post-verdict.ts");
  return await postVerdict({ report, pins: verdict.pins, flags, context });
}

/** Schemas load only where a policy is given: decoding begins before they do. */
const policyOf = async ({ policy }: JoinVerifyFlags): Promise<Policy | null> =>
  policy === undefined ? null : (await import("../read-policy.ts")).readPolicy(policy);

/** Of one folder the report itself; of many a document around each, since a report names no folder. */
const line = (evidence: string | null, report: JoinReport): string =>
  `${JSON.stringify(evidence === null ? report : { evidence, report })}\n`;

const text = (name: string | null, report: JoinReport, { colour }: CliContext): string =>
  `${name === null ? "" : `${harmless(name, 4_096)}:\n`}${renderSummary(report, { colour })}`;

/** Null for a path that is not below here. */
function belowHere(path: string, { cwd }: CliContext): string | null {
  const below = relative(cwd, path);
  return below === "" || below.startsWith("..") ? null : below;
}

/** A path as a report may show it: below here, or its last part; where people keep things is nobody's business. */
const nearBy = (path: string, context: CliContext): string => belowHere(path, context) ?? basename(path);

interface Telling {
  readonly verdict: EvidenceVerdict;
  readonly origin: Origin;
  readonly flags: JoinVerifyFlags;
  readonly context: CliContext;
}

/** Assembles and draws what was asked for. The final report: pictures are a second opinion that can still reject. */
async function told({ verdict, origin, flags, context: { clock, signal } }: Telling): Promise<JoinReport> {
  const assembled =
    flags.out === undefined ? null : await assemble({ verdict, out: flags.out, origin, clock, signal });
  if (flags.html === undefined) return assembled?.report ?? verdict.report;
  if (assembled?.ok) {
    const { renderPage } = await import("../../join/report/page/page.ts");
    const { report, pictures } = assembled;
    await writeOutput(flags.html, renderPage({ report, pictures, origin, beside: [] }));
    return report;
  }
  const { drawPage } = await import("../../join/report/draw-page.ts");
  const { report, page } = await drawPage({ verdict, origin, clock, signal });
  await writeOutput(flags.html, page);
  return report;
}

const RANK: readonly ExitCode[] = [EXIT.ok, EXIT.retry, EXIT.permanent, EXIT.rejected];
const worse = (left: ExitCode, right: ExitCode): ExitCode =>
  RANK.indexOf(left) >= RANK.indexOf(right) ? left : right;
