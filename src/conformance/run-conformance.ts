import type {
  ConformanceConfiguration,
  ConformanceReport,
  RuleVerdict,
} from "../../contracts/documents/conformance.ts";
import { TOOL_VERSION } from "../../contracts/version.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { closeTasks, type OpenedCase } from "./close-tasks.ts";
import type { LeftPeople } from "./people.ts";
import { playRules } from "./play-rules.ts";
import type { LoadedModule } from "./read-module.ts";
import { openSession } from "./session.ts";
import type { Subject } from "./subject.ts";

export interface ConformanceOptions {
  readonly modules: readonly LoadedModule[];
  readonly configuration: ConformanceConfiguration;
  readonly subject: Subject;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (verdict: RuleVerdict) => void;
}

/**
 * Plays the modules against a gateway with workers of the run's own, which are revoked at the end; on a gateway of
 * others every task is handed in first. A rule that does not hold is a verdict; what could not be revoked or closed
 * stands in the report. Throws GATEWAY_ codes for a gateway that cannot be spoken to and
 * CONFORMANCE_MEMORY when the run took more than it may.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { subject, clock } = options;
  const started = clock.monotonicMs();
  const session = await openSession(subject, clock);
  const { gatewayId } = session;
  const rules: RuleVerdict[] = [];
  const opened: OpenedCase[] = [];
  let notClosed: string[] = [];
  let left: LeftPeople = { notRevoked: [], notRead: [] };
  try {
    const run = `c${clock.uuid().slice(0, 8)}`;
    for (const [index, loaded] of options.modules.entries())
      rules.push(
        ...(await playRules(
          loaded,
          {
            session,
            process: subject.process,
            gatewayId,
            clock,
            run: `${run}-${index}`,
            signal: options.signal,
            opened,
          },
          options.tell,
        )),
      );
  } finally {
    // an embedded gateway ends with the run
    if (subject.process === null) notClosed = await closeTasks(opened, session, gatewayId);
    left = await session.close();
  }
  const peak = process.resourceUsage().maxRSS * 1_024;
  if (peak > options.configuration.memory_bytes)
    throw new HandoffError(
      "CONFORMANCE_MEMORY",
      `It took ${peak} bytes of ${options.configuration.memory_bytes}.`,
    );
  return {
    schema: "render_handoff.conformance_report.v1",
    verdict: rules.some((rule) => rule.verdict === "failed") ? "failed" : "passed",
    gateway_id: gatewayId,
    embedded: subject.process !== null,
    configuration: options.configuration,
    rules,
    not_revoked: left.notRevoked,
    not_read: left.notRead,
    not_closed: notClosed,
    duration_ms: Math.round(clock.monotonicMs() - started),
    peak_rss_bytes: peak,
    tool_version: TOOL_VERSION,
  };
}
