import { join } from "node:path";
import { writeDurable } from "../core/files/write-durable.ts";
import { releaseMemory } from "../core/release-memory.ts";
import type { RunContext } from "./context.ts";
import { recheckFrame, slotFrames } from "./frames.ts";
import { type Rendered, readRendered, writeRendered } from "./rendered.ts";
import type { RunFolder } from "./run-folder.ts";
import type { Held } from "./steps/claim.ts";

/**
 * Frames of an earlier attempt of exactly this job, slot and executable whose lease was lost after they were
 * complete. Each is checked again and copied into this run's folder. Null when there are none.
 */
export async function reuseFrames(run: RunContext, held: Held, folder: RunFolder): Promise<Rendered | null> {
  const row = run.state.outbox.reusable({
    job_sha256: held.task.job_sha256,
    slot: held.task.slot,
    executable_sha256: held.machine.identity.sha256,
  });
  if (row === null) return null;
  const old = join(run.state.folder, row.folder);
  const rendered = await readRendered(old);
  const wanted = slotFrames(held.job, held.task.slot);
  if (rendered === null || rendered.frames.map((one) => one.frame).join() !== wanted.join()) return null;
  if (!held.job.policy.allow_containment.includes(rendered.containment)) return null;
  for (const entry of rendered.frames) {
    const bytes = await recheckFrame(held.job, join(old, "frames"), entry);
    if (bytes === null) return null;
    await writeDurable(join(folder.frames, entry.member), bytes);
    releaseMemory(bytes);
  }
  const reused = { ...rendered, render: { ...rendered.render, reused: true } };
  await writeRendered(folder.path, reused);
  return reused;
}
