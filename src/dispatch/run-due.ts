import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ChildResult } from "../../contracts/documents/child-result.ts";
import type { DispatchResult } from "../../contracts/documents/dispatch-result.ts";
import { timestamp } from "../core/clock.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { writeDurable } from "../core/files/write-durable.ts";
import { isLoopbackGateway } from "../gateway-client/gateway-url.ts";
import type { RunLock } from "../gateway-client/run-lock.ts";
import { type ChildOptions, lockState, runLocked } from "../render-child/run.ts";
import { type Capture, openCapture } from "./capture.ts";
import { clockAt } from "./clock-at.ts";
import { type Considered, type Picked, pick } from "./pick.ts";
import { settle } from "./settle.ts";
import { withSchedule } from "./with-schedule.ts";

export interface DispatchOptions extends Omit<ChildOptions, "slot" | "jobId" | "gatewayUrl" | "drainOnly"> {
  /** Is not there yet; gets result.json and capture/. */
  readonly outputFolder: string;
  /** Wall-clock seconds to run at instead of now: only where every gateway is on this machine. */
  readonly now: number | null;
}

/**
 * Runs at most one entry that is due, in this process, and writes result.json last: a folder without one is of
 * a run that was killed. Outcomes as those of a run; `no_due_job` and `busy` make no request. Throws
 * USAGE_OUTPUT_EXISTS, USAGE_NOW_NOT_LOCAL, STATE_UNUSABLE.
 */
export async function runDue(options: DispatchOptions): Promise<DispatchResult> {
  const clock = options.now === null ? options.clock : clockAt(options.clock, options.now);
  await makeOutput(options.outputFolder);
  const capture = openCapture(join(options.outputFolder, "capture"));
  let lock: RunLock | null = null;
  try {
    lock = await lockState(options.stateFolder);
    const result = lock === null ? BUSY : await runOne({ ...options, clock }, capture);
    await writeDurable(join(options.outputFolder, "result.json"), `${JSON.stringify(result, null, 2)}\n`);
    return result;
  } catch (thrown) {
    // what was not begun leaves nothing behind; what was captured stays to be looked at
    if (capture.count() === 0) await rm(options.outputFolder, { recursive: true, force: true });
    throw thrown;
  } finally {
    lock?.release();
  }
}

async function makeOutput(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "EEXIST") throw new HandoffError("USAGE_OUTPUT_EXISTS", folder);
    throw new HandoffError("USAGE_FILE_UNREADABLE", `${folder}: ${code}`, { cause: thrown });
  }
}

/** Another run holds the state folder: the caller may come back later, and nothing was looked at. */
const BUSY: DispatchResult = {
  schema: "render_handoff.dispatch_result.v1",
  outcome: "busy",
  reason: null,
  id: null,
  next_due_utc: null,
  held: [],
  exchanges: 0,
  child: null,
};

async function runOne(options: DispatchOptions, capture: Capture): Promise<DispatchResult> {
  const { stateFolder, clock } = options;
  const picked = withSchedule(stateFolder, clock, ({ queue, considered }) => {
    const entries = considered();
    if (options.now !== null) refuseFarGateways(entries);
    const found = pick(entries, clock.wallSeconds());
    if (found.due !== null) queue.start(found.due.entry.id);
    return found;
  });
  if (picked.due === null) return resultOf({ picked, child: null, capture });
  const { entry } = picked.due;
  const child = await runLocked({
    ...options,
    slot: entry.slot,
    jobId: entry.job_id,
    gatewayUrl: entry.gateway_url,
    drainOnly: false,
    onExchange: (exchange) => {
      capture.record(exchange);
      options.onExchange?.(exchange);
    },
  });
  const after = withSchedule(stateFolder, clock, ({ queue, considered }) => {
    queue.settle(entry.id, settle(entry, child, clock.wallSeconds()));
    return pick(considered(), clock.wallSeconds());
  });
  return resultOf({ picked: { ...after, due: picked.due }, child, capture });
}

/** A wrong time must not be written as a real gateway's pause, nor be told to one. */
function refuseFarGateways(entries: readonly Considered[]): void {
  const far = entries.find(({ entry }) => !isLoopbackGateway(entry.gateway_url));
  if (far !== undefined) throw new HandoffError("USAGE_NOW_NOT_LOCAL", far.host);
}

function resultOf(work: { picked: Picked; child: ChildResult | null; capture: Capture }): DispatchResult {
  const { picked, child, capture } = work;
  return {
    schema: "render_handoff.dispatch_result.v1",
    outcome: child?.outcome ?? "no_due_job",
    reason: child === null ? heldBy(picked) : child.reason,
    id: picked.due?.entry.id ?? null,
    next_due_utc: picked.nextDue === null ? null : timestamp(picked.nextDue),
    held: [...picked.heldHosts, ...picked.heldEntries],
    exchanges: capture.count(),
    child,
  };
}

/** Why nothing will come due by itself, where a host's hold is the reason. */
const heldBy = (picked: Picked): string | null =>
  picked.nextDue === null && picked.heldHosts.length > 0 ? "GATEWAY_HELD" : null;
