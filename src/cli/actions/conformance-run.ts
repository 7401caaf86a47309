import { lstat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type {
  ConformanceConfiguration,
  ConformanceReport,
  RuleVerdict,
} from "../../../contracts/documents/conformance.ts";
import { loadModules, readConfiguration, standardConfiguration } from "../../conformance/configuration.ts";
import { runConformance } from "../../conformance/run-conformance.ts";
import type { Subject } from "../../conformance/subject.ts";
import { HandoffError, systemCode } from "../../core/error.ts";
import { harmless } from "../../core/escape.ts";
import { readCapped } from "../../core/files/read-capped.ts";
import { withEmbeddedSubject } from "../conformance-subject.ts";
import type { CliContext } from "../context.ts";
import type { ConformanceRunFlags } from "../flags/conformance.ts";
import { outputFailed, refuseUnwritable } from "../output-file.ts";
import { readToken } from "../read-token.ts";

const FAILED = 1;

interface RunCall {
  readonly folders: readonly string[];
  readonly flags: ConformanceRunFlags;
  readonly context: CliContext;
}

/** Plays the modules, prints a line a rule and sets exit code 1 when one does not hold. */
export async function conformanceRun({ folders, flags, context }: RunCall): Promise<void> {
  await refuseReport(flags.report);
  const configuration = await configurationOf(flags);
  // before anything is started: a module that is changed is never played
  const modules = await loadModules(
    configuration,
    folders.map((folder) => resolve(context.cwd, folder)),
  );
  const play = (subject: Subject): Promise<ConformanceReport> =>
    runConformance({
      modules,
      configuration,
      subject,
      clock: context.clock,
      signal: context.signal,
      tell: (verdict) => {
        if (flags.json !== true) context.out(line(verdict));
      },
    });
  const report = await withSubject(flags, context, play);
  if (flags.report !== undefined) await write(flags.report, report);
  context.out(flags.json ? `${JSON.stringify(report)}\n` : summary(report));
  if (report.verdict === "failed") context.setExit(FAILED);
}

async function withSubject<T>(
  flags: ConformanceRunFlags,
  context: CliContext,
  work: (subject: Subject) => Promise<T>,
): Promise<T> {
  if (flags.gateway === undefined) {
    if (flags.adminTokenFile !== undefined)
      throw new HandoffError("USAGE_ARGUMENT", "--admin-token-file needs --gateway.");
    return withEmbeddedSubject(context, work);
  }
  if (flags.adminTokenFile === undefined)
    throw new HandoffError("USAGE_ARGUMENT", "--gateway needs --admin-token-file.");
  return work({
    url: flags.gateway,
    adminToken: await readToken(flags.adminTokenFile),
    allowInsecure: flags.allowInsecure === true,
    process: null,
  });
}

async function configurationOf(flags: ConformanceRunFlags): Promise<ConformanceConfiguration> {
  if (flags.config === undefined) return standardConfiguration();
  const read = await readCapped(flags.config, 1024 * 1024);
  if (!read.ok) throw new HandoffError("USAGE_FILE_UNREADABLE", `${flags.config}: ${read.detail}.`);
  return readConfiguration(read.bytes, flags.config);
}

/** An earlier report is not written over; that is said before anything is played. */
async function refuseReport(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  if ((await lstat(path).catch(() => null)) !== null)
    throw new HandoffError("USAGE_OUTPUT_EXISTS", `It is ${path}.`);
  await refuseUnwritable(path);
}

async function write(path: string, report: ConformanceReport): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(report, null, 2)}\n`, { flag: "wx" });
  } catch (thrown) {
    if (systemCode(thrown) === "EEXIST") throw new HandoffError("USAGE_OUTPUT_EXISTS", `It is ${path}.`);
    throw outputFailed(path, thrown);
  }
}

const SHOWN = { passed: "passed", failed: "FAILED", not_applicable: "not applicable" } as const;

const line = ({ verdict, rule, module, statement, detail }: RuleVerdict): string =>
  `${SHOWN[verdict].padEnd(14)} ${rule.padEnd(12)} ${module}: ${harmless(statement)}\n${detail === null ? "" : `               ${harmless(detail, 1_000)}\n`}`;

function summary(report: ConformanceReport): string {
  const count = (verdict: RuleVerdict["verdict"]): number =>
    report.rules.filter((rule) => rule.verdict === verdict).length;
  const megabytes = (report.peak_rss_bytes / 1_048_576).toFixed(1);
  return `${count("passed")} passed, ${count("failed")} failed, ${count("not_applicable")} not applicable; ${(report.duration_ms / 1_000).toFixed(1)} s, peak memory ${megabytes} MiB\n${notRevoked(report)}${notRead(report)}${notClosed(report)}`;
}

const notRevoked = ({ not_revoked: left }: ConformanceReport): string =>
  left.length === 0 ? "" : `The gateway did not confirm their revocation: ${left.join(", ")}\n`;

const notRead = ({ not_read: names }: ConformanceReport): string =>
  names.length === 0
    ? ""
    : `Registrations that could not be read, so that they may still be let in: ${names.join(", ")}\n`;

const notClosed = ({ not_closed: left }: ConformanceReport): string =>
  left.length === 0
    ? ""
    : `These tasks could not be handed in and may still be claimed: ${left.join(", ")}\n`;
