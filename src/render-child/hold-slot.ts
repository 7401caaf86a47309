import { join } from "node:path";
import { HandoffError } from "../core/error.ts";
import { startDeadline } from "../gateway-client/deadline.ts";
import type { OutboxRow } from "../gateway-client/outbox.ts";
import type { RunContext } from "./context.ts";
import { deliver } from "./deliver.ts";
import { endingFor } from "./endings.ts";
import { fetchScene } from "./fetch-scene.ts";
import { slotFrames } from "./frames.ts";
import { type Guard, startGuard } from "./guard.ts";
import { reuseFrames } from "./reuse.ts";
import { asRunError } from "./run-error.ts";
import { makeRunFolder, type RunFolder, removeTree, tryCleanup } from "./run-folder.ts";
import { bundle } from "./steps/bundle.ts";
import type { Held } from "./steps/claim.ts";
import { render } from "./steps/render.ts";

const RELEASE_MS = 8_000;

/** From claim to receipt; whatever goes wrong gives the slot back as the table says. */
export async function holdSlot(run: RunContext, held: Held): Promise<void> {
  let work: Work | null = null;
  let row: OutboxRow | null = null;
  try {
    work = await beginWork(run, held);
    const { guard } = work;
    await run.options.faultPoint?.("after_claim");
    const guarded: RunContext = { ...run, client: run.client.with({ signal: guard.signal }) };
    row = await makeBundle(guarded, work);
    await run.options.faultPoint?.("after_outbox");
    guard.progress({ phase: "upload", framesDone: work.frames });
    await deliver(guarded, row, { uploaded: false, onSubmit: guard.submitting });
  } catch (thrown) {
    const ended = work?.guard.signal;
    const error = asRunError(ended?.aborted === true ? ended.reason : thrown);
    const { key } = row ?? { key: null };
    await giveBack(run, held, { error, waiting: run.state.outbox.pending().some((one) => one.key === key) });
    throw error;
  } finally {
    await work?.guard.stop();
    // after the guard, so that nothing of the run is alive; the outbox keeps what it needs
    const folder = work?.folder;
    if (folder !== undefined && !run.state.outbox.foldersInUse().includes(folder.name))
      await tryCleanup(run, () => removeTree(folder.path));
  }
}

interface Work {
  readonly held: Held;
  readonly folder: RunFolder;
  readonly guard: Guard;
  readonly frames: number;
}

async function beginWork(run: RunContext, held: Held): Promise<Work> {
  const lease = { slot: held.task.slot, fence: held.fence, taskId: held.taskId };
  const folder = await makeRunFolder(run.state.folder, lease);
  const frames = slotFrames(held.job, held.task.slot).length;
  return { held, folder, guard: startGuard(run, held, folder.marker), frames };
}

async function makeBundle(run: RunContext, work: Work): Promise<OutboxRow> {
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
        clock: run.options.clock,
        folder: folder.scene,
      }),
    );
    await run.options.faultPoint?.("after_scene");
    guard.throwIfEnded();
    report.step = "render";
    state.jobs.record({ taskId: held.taskId, fence: held.fence, state: "rendering", reason: null });
    rendered = await render(run, work);
    state.jobs.record({ taskId: held.taskId, fence: held.fence, state: "rendered", reason: null });
  }
  await run.options.faultPoint?.("after_check");
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
