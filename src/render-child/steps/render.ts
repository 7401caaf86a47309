import type { FrameEntry } from "../../../contracts/documents/frame-entry.ts";
import type { FrameMetadata } from "../../../contracts/documents/frame-metadata.ts";
import type { BlenderFacts } from "../../blender/facts.ts";
import { listOutput } from "../../blender/list-output.ts";
import { failureOf, withLastLines } from "../../blender/outcome.ts";
import type { RenderProgress } from "../../blender/process/progress.ts";
import { renderFrames } from "../../blender/render.ts";
import { HandoffError, systemCode } from "../../core/error.ts";
import type { RunContext } from "../context.ts";
import { keepFrame, slotFrames } from "../frames.ts";
import type { Guard, ProgressNote } from "../guard.ts";
import { type MetadataWish, readMetadata, writeMetadata } from "../metadata.ts";
import { openPreviews } from "../preview.ts";
import { type Rendered, writeRendered } from "../rendered.ts";
import type { RunFolder } from "../run-folder.ts";
import type { Held } from "./claim.ts";

/**
 * One Blender process for the slot's frames, then the listing of the folder as the only truth, the strict
 * check and the canonical form of each frame. Throws the guard's reason when it ended the run, else a
 * RENDER_ code.
 */
export async function render(
  run: RunContext,
  work: { held: Held; folder: RunFolder; guard: Guard },
): Promise<Rendered> {
  const { held, folder, guard } = work;
  const outcome = await run.report.timed("blender", () => startBlender(run, work));
  await run.options.faultPoint?.("after_render");
  guard.throwIfEnded();
  const failure = failureOf(outcome);
  if (failure !== null) {
    run.state.jobs.record({ taskId: held.taskId, fence: held.fence, state: "killed", reason: failure.code });
    throw failure;
  }
  const facts = trustedFacts(held, outcome.facts);
  const frames = await run.report
    .timed("check", () => checkedFrames(run, work))
    .catch((thrown: unknown) => {
      const ofOutput = thrown instanceof HandoffError && thrown.code.startsWith("RENDER_");
      throw ofOutput && !guard.signal.aborted ? withLastLines(thrown, outcome) : thrown;
    });
  const { identity } = held.machine;
  const rendered: Rendered = {
    blender: {
      version: identity.version,
      build_hash: facts.build_hash,
      executable_sha256: identity.sha256,
      platform: identity.platform,
    },
    device: facts.device,
    containment: held.plan.containment,
    frames,
    render: {
      wall_ms: Math.round(outcome.wallMs),
      peak_rss_bytes: Math.round(outcome.peakRssBytes),
      reused: false,
    },
  };
  await writeRendered(folder.path, rendered);
  return rendered;
}

/** The folder says what there is; each frame is checked and kept, one in memory at a time. */
async function checkedFrames(run: RunContext, work: Parameters<typeof render>[1]): Promise<FrameEntry[]> {
  const { held, folder, guard } = work;
  const { metadata } = run.options;
  const kept: FrameEntry[] = [];
  const texts: FrameMetadata["frames"] = [];
  for (const listed of await listOutput({
    folder: folder.output,
    frames: slotFrames(held.job, held.task.slot),
    frameBytes: held.job.limits.frame_bytes,
  })) {
    guard.throwIfEnded();
    guard.progress({ phase: "check", frame: listed.frame, framesDone: kept.length });
    const onText = (text: Readonly<Record<string, string>>): void => {
      if (metadata !== undefined) texts.push(readMetadata(metadata, listed.frame, text));
    };
    const stamps = metadata?.keywords ?? [];
    kept.push(await keepFrame(held.job, listed, { folder: folder.frames, stamps, onText }));
  }
  if (metadata !== undefined) await keepTexts(run, held, { metadata, texts });
  return kept;
}

/** Kept beside the work, not of it: a folder that cannot be written to costs no finished frame. */
async function keepTexts(
  run: RunContext,
  held: Held,
  { metadata, texts }: { metadata: MetadataWish; texts: FrameMetadata["frames"] },
): Promise<void> {
  const { taskId, fence, task } = held;
  const { job_sha256, slot } = task;
  const schema = "render_handoff.frame_metadata.v1";
  const document = {
    schema,
    job_sha256,
    task_id: taskId,
    slot,
    fencing_token: fence,
    frames: texts,
  } as const;
  await writeMetadata(metadata, document).catch((thrown: unknown) => {
    const detail = systemCode(thrown) ?? "unwritable";
    run.options.logger.log("warning", "metadata_not_kept", { step: "render", task_id: taskId, detail });
  });
}

async function startBlender(run: RunContext, { held, folder, guard }: Parameters<typeof render>[1]) {
  const { job, plan, machine } = held;
  const watchdogMs = Math.max(1, job.limits.watchdog_seconds * 1_000 - machine.spentMs);
  const started = run.options.clock.monotonicMs();
  const left = (): number =>
    Math.max(0, Math.round((watchdogMs - (run.options.clock.monotonicMs() - started)) / 1_000));
  let note: ProgressNote = { phase: "start" };
  const tell = (): void => guard.progress({ ...note, watchdogLeftS: left() });
  tell();
  const previews = openPreviews({
    folder: folder.output,
    frames: slotFrames(job, held.task.slot),
    frameBytes: job.limits.frame_bytes,
    show: (frame, png) => guard.preview(frame, png),
  });
  const rendering = renderFrames({
    identity: machine.identity,
    containment: plan.containment,
    sceneFolder: folder.scene,
    main: job.scene.main,
    frames: slotFrames(job, held.task.slot),
    outputFolder: folder.output,
    runFolder: folder.path,
    settings: job.render,
    allowScripts: plan.allowScripts,
    threads: run.options.threads,
    stamps: run.options.metadata?.keywords ?? [],
    watchdogMs,
    signal: guard.signal,
    marker: folder.marker,
    clock: run.options.clock,
    onProgress: (progress: RenderProgress) => {
      note = { phase: "render", ...progress };
      previews.finished(progress.framesDone);
      tell();
    },
  });
  return whileTelling(run, tell, rendering);
}

/** Blender can be silent for minutes, and its watchdog runs all the same: told once a second. */
async function whileTelling<T>(run: RunContext, tell: () => void, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const ticking = (async () => {
    for (;;) {
      await run.options.clock.sleep(1_000, over.signal);
      tell();
    }
  })().catch(() => {});
  try {
    return await work;
  } finally {
    over.abort();
    await ticking;
  }
}

/** The version is read again inside the process that rendered: another one than the pin's is no result. */
function trustedFacts(held: Held, facts: BlenderFacts | null): BlenderFacts {
  if (facts === null)
    throw new HandoffError("RENDER_SETTINGS_REFUSED", "Blender did not say what it rendered with.");
  if (facts.version !== held.machine.identity.version)
    throw new HandoffError("RENDER_BLENDER_PIN", `It says ${facts.version} while it renders.`);
  return facts;
}
