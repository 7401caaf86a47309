import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ChildResult } from "../../contracts/documents/child-result.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { HandoffError } from "../core/error.ts";
import { openGatewayClient } from "../gateway-client/client.ts";
import { readGatewayUrl } from "../gateway-client/gateway-url.ts";
import type { OutboxRow } from "../gateway-client/outbox.ts";
import { type RunLock, takeRunLock } from "../gateway-client/run-lock.ts";
import { openState, type State } from "../gateway-client/state.ts";
import { choose } from "./choose.ts";
import type { RunContext } from "./context.ts";
import { drain } from "./deliver.ts";
import { endingFor } from "./endings.ts";
import { type HeartbeatThread, startHeartbeatThread } from "./heartbeat/start.ts";
import { holdSlot } from "./hold-slot.ts";
import { interruption } from "./interruption.ts";
import type { ChildOptions } from "./options.ts";
import { type Ending, type Report, startReport } from "./report.ts";
import { asRunError } from "./run-error.ts";
import { sweepEarlierRuns } from "./run-folder.ts";

export { exitCodeOf } from "./endings.ts";
export type { ChildOptions } from "./options.ts";

const COMPLETED: Ending = { outcome: "completed", error: null, nextDue: null };

/**
 * One run: drains the outbox, claims at most one slot, renders, hands in, cleans up. Never throws; what
 * stood in the way is the result's reason, by the table in endings.ts.
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const report = startReport(options.slot, options.clock);
  try {
    const lock = await lockState(options.stateFolder);
    if (lock === null) return report.result({ outcome: "busy", error: null, nextDue: null });
    try {
      return await runLocked(options, report);
    } finally {
      lock.release();
    }
  } catch (thrown) {
    return report.result(endingOf(options, null, thrown));
  }
}

/** The state folder, made where it is missing, for one run; null when another holds it after 0.25 s. */
export async function lockState(stateFolder: string): Promise<RunLock | null> {
  await mkdir(stateFolder, { recursive: true, mode: 0o700 });
  return takeRunLock(join(stateFolder, "run-lock.sqlite"));
}

/** The same run for a caller that holds the state folder's lock. Never throws. */
export async function runLocked(
  options: ChildOptions,
  report: Report = startReport(options.slot, options.clock),
): Promise<ChildResult> {
  let state: State | null = null;
  try {
    state = openState(options.stateFolder, options.clock);
    return report.result(await withState(options, state, report));
  } catch (thrown) {
    return report.result(endingOf(options, state, thrown));
  } finally {
    state?.close();
  }
}

async function withState(options: ChildOptions, state: State, report: Report): Promise<Ending> {
  const client = openGatewayClient({
    url: options.gatewayUrl,
    token: options.token,
    allowInsecure: options.allowInsecure,
    clock: options.clock,
    logger: options.logger,
    hosts: state.hosts,
    signal: options.signal,
    maxWaitMs: options.maxWaitSeconds * 1_000,
    onExchange: (record) => {
      report.countAttempt();
      options.onExchange?.(record);
    },
  });
  let thread: HeartbeatThread | null = null;
  try {
    await report.timed("start", () => sweepEarlierRuns(state, options.clock));
    const gatewayId = state.hosts.gatewayId() ?? (await client.wellKnown()).value.gateway_id;
    const heartbeat = (): HeartbeatThread => {
      const { origin, base } = client.url;
      thread ??= startHeartbeatThread({
        origin,
        base,
        token: options.token,
        gatewayId,
        clock: options.clock,
      });
      return thread;
    };
    return await oneRun({ options, state, client, gatewayId, report, heartbeat });
  } finally {
    await stopThread(thread);
    await client.close();
  }
}

const stopThread = async (thread: HeartbeatThread | null): Promise<void> => thread?.stop();

async function oneRun(run: RunContext): Promise<Ending> {
  const { options, report } = run;
  report.step = "submit";
  const drained = await report.timed("drain", () => drain(run));
  const wanted = drained.find((row) => isWanted(options, row));
  if (wanted !== undefined || options.drainOnly) return afterDrain(run, wanted ?? drained[0] ?? null);
  report.step = "claim";
  const choice = await report.timed("claim", () => choose(run));
  if ("ending" in choice) return choice.ending;
  report.taskId = choice.held.taskId;
  report.fence = choice.held.fence;
  await holdSlot(run, choice.held);
  return COMPLETED;
}

const isWanted = (options: ChildOptions, row: OutboxRow): boolean =>
  options.jobId === null
    ? row.slot === options.slot
    : row.task_id === slotTaskId(options.jobId, options.slot);

function afterDrain(run: RunContext, row: OutboxRow | null): Ending {
  if (row === null) return { outcome: "no_due_job", error: null, nextDue: null };
  run.report.taskId = row.task_id;
  run.report.fence = row.fencing_token;
  run.report.bundleSha256 = row.bundle_sha256;
  return COMPLETED;
}

function endingOf(options: ChildOptions, state: State | null, thrown: unknown): Ending {
  // an aborted signal throws its reason, which need not be an error of ours
  const stray = options.signal.aborted && !(thrown instanceof HandoffError);
  const error = stray ? interruption(options.signal) : asRunError(thrown);
  const rule = endingFor(error);
  options.logger.log(rule.outcome === "failed" ? "error" : "info", "ended", { code: error.code });
  const nextDue = rule.outcome === "deferred" ? dueOf(options, state, error) : null;
  return { outcome: rule.outcome, error, nextDue };
}

function dueOf(options: ChildOptions, state: State | null, error: HandoffError): number {
  const gate = state?.hosts.look(readGatewayUrl(options.gatewayUrl, true).host).notBefore ?? null;
  return gate ?? options.clock.wallSeconds() + (error.retryAfterSeconds ?? 5);
}
