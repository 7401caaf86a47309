import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ChildResult } from "../../contracts/documents/child-result.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { asHandoffError, HandoffError, systemCode } from "../core/error.ts";
import { openGatewayClient } from "../gateway-client/client.ts";
import { startDeadline } from "../gateway-client/deadline.ts";
import { readGatewayUrl } from "../gateway-client/gateway-url.ts";
import type { OutboxRow } from "../gateway-client/outbox.ts";
import { takeRunLock } from "../gateway-client/run-lock.ts";
import { openState, type State } from "../gateway-client/state.ts";
import { choose } from "./choose.ts";
import type { RunContext } from "./context.ts";
import { deliver, drain } from "./deliver.ts";
import { endingFor } from "./endings.ts";
import { fetchScene } from "./fetch-scene.ts";
import { type Guard, startGuard } from "./guard.ts";
import { type HeartbeatThread, startHeartbeatThread } from "./heartbeat/start.ts";
import { interruption } from "./interruption.ts";
import type { ChildOptions } from "./options.ts";
import { type Ending, type Report, startReport } from "./report.ts";
import { reuseFrames } from "./reuse.ts";
import { makeRunFolder, type RunFolder, removeTree, sweepEarlierRuns } from "./run-folder.ts";
import { bundle } from "./steps/bundle.ts";
import type { Held } from "./steps/claim.ts";
import { render } from "./steps/render.ts";

export { exitCodeOf } from "./endings.ts";
export type { ChildOptions } from "./options.ts";

const RELEASE_MS = 8_000;
const COMPLETED: Ending = { outcome: "completed", error: null, nextDue: null };

/**
 * One run: drains the outbox, claims at most one slot, renders, hands in, cleans up. Never throws; what
 * stood in the way is the result's reason, by the table in endings.ts.
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const report = startReport(options.slot, options.clock);
  let state: State | null = null;
  try {
    await makeStateFolder(options.stateFolder);
    const lock = takeRunLock(join(options.stateFolder, "run-lock.sqlite"));
    if (lock === null) return report.result({ outcome: "busy", error: null, nextDue: null });
    try {
      state = openState(options.stateFolder, options.clock);
      return report.result(await withState(options, state, report));
    } catch (thrown) {
      return report.result(endingOf(options, state, thrown));
    } finally {
      state?.close();
      lock.release();
    }
  } catch (thrown) {
    return report.result(endingOf(options, null, thrown));
  }
}

async function makeStateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw new HandoffError("STATE_UNUSABLE", `${folder}: ${systemCode(thrown)}`, { cause: thrown });
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
  return holdSlot(run, choice.held);
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

/** From claim to receipt; whatever goes wrong gives the slot back as the table says. */
async function holdSlot(run: RunContext, held: Held): Promise<Ending> {
  const { state, report } = run;
  const folder = await makeRunFolder(state.folder, {
    slot: held.task.slot,
    fence: held.fence,
    taskId: held.taskId,
  });
  const guard = startGuard(run, held, folder.marker);
  const guarded: RunContext = { ...run, client: run.client.with({ signal: guard.signal }) };
  let row: OutboxRow | null = null;
  try {
    row = await makeBundle(guarded, { held, folder, guard });
    guard.progress({ phase: "upload" });
    await deliver(guarded, row, { uploaded: false });
    return COMPLETED;
  } catch (thrown) {
    const error = guard.signal.aborted ? asHandoffError(guard.signal.reason) : asHandoffError(thrown);
    const waiting = row !== null && state.outbox.pending().some((one) => one.key === row?.key);
    await giveBack(run, held, { error, waiting });
    throw error;
  } finally {
    await guard.stop();
    // after the guard, so that nothing of the run is alive; the outbox keeps what it needs
    if (!state.outbox.foldersInUse().includes(folder.name)) await removeTree(folder.path);
    report.step = "submit";
  }
}

async function makeBundle(
  run: RunContext,
  work: { held: Held; folder: RunFolder; guard: Guard },
): Promise<OutboxRow> {
  const { held, folder, guard } = work;
  const { report, state } = run;
  let rendered = await reuseFrames(run, held, folder);
  report.reused = rendered !== null;
  if (rendered === null) {
    guard.progress({ phase: "scene" });
    await report.timed("scene", () =>
      fetchScene({
        client: run.client,
        job: held.job,
        cache: join(state.folder, "scenes"),
        folder: folder.scene,
      }),
    );
    guard.throwIfEnded();
    report.step = "render";
    state.jobs.record({ taskId: held.taskId, fence: held.fence, state: "rendering", reason: null });
    rendered = await render(run, work);
    state.jobs.record({ taskId: held.taskId, fence: held.fence, state: "rendered", reason: null });
  }
  const complete = rendered;
  report.step = "bundle";
  guard.progress({ phase: "bundle", framesDone: complete.frames.length });
  guard.throwIfEnded();
  return report.timed("bundle", () => bundle(run, { held, folder, rendered: complete }));
}

/** Gives the slot back with the reason, for a few seconds at most; that it failed changes nothing. */
async function giveBack(
  run: RunContext,
  held: Held,
  end: { error: HandoffError; waiting: boolean },
): Promise<void> {
  const { state, options } = run;
  const { taskId, fence } = held;
  state.jobs.record({ taskId, fence, state: end.waiting ? "ended" : "lost", reason: end.error.code });
  if (end.waiting || !endingFor(end.error).releases) return;
  // the run's own signal is aborted, and this must still go out
  const reason = () => new HandoffError("GATEWAY_TIMEOUT");
  const patience = startDeadline({ clock: options.clock, milliseconds: RELEASE_MS, outer: null, reason });
  try {
    await run.client.with({ signal: patience.signal, maxWaitMs: 1_000 }).release({
      task_id: taskId,
      worker_id: options.workerUuid,
      fencing_token: fence,
      reason: end.error.code,
    });
    state.jobs.setClaimKey(taskId, null);
  } catch (thrown) {
    const code = thrown instanceof HandoffError ? thrown.code : "GATEWAY_TIMEOUT";
    options.logger.log("warning", "release_failed", {
      step: "claim",
      code,
      task_id: taskId,
      fencing_token: fence,
    });
  } finally {
    patience.stop();
  }
}

function endingOf(options: ChildOptions, state: State | null, thrown: unknown): Ending {
  const error =
    options.signal.aborted && !(thrown instanceof HandoffError)
      ? interruption(options.signal)
      : asHandoffError(thrown);
  const rule = endingFor(error);
  options.logger.log(rule.outcome === "failed" ? "error" : "info", "ended", { code: error.code });
  const nextDue = rule.outcome === "deferred" ? dueOf(options, state, error) : null;
  return { outcome: rule.outcome, error, nextDue };
}

function dueOf(options: ChildOptions, state: State | null, error: HandoffError): number {
  const gate = state?.hosts.look(readGatewayUrl(options.gatewayUrl, true).host).notBefore ?? null;
  return gate ?? options.clock.wallSeconds() + (error.retryAfterSeconds ?? 5);
}
