import { join } from "node:path";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { siblingModule } from "../../core/sibling.ts";
import { memoryShare } from "../decode/memory-share.ts";
import { planOf } from "../decode/plan.ts";
import { type Outcome, Pool } from "../decode/pool.ts";
import { finding, slotPath } from "../finding.ts";
import type { VerifiedFrames } from "../verdict.ts";
import { CELL, type SheetFrame } from "./contact-sheet.ts";
import type { DrawAnswer, DrawTask } from "./messages.ts";
import { fittingSize } from "./thumbnail.ts";

export interface DrawOptions {
  readonly verified: VerifiedFrames;
  /** Where the frames are written; null draws them only, and leaves out those that cannot be had any more. */
  readonly folder: string | null;
  readonly clock: Pick<Clock, "sleep">;
  /** Ends it early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Drawn {
  /** Thumbnails in the order of the range; of a longer one an even choice. */
  readonly thumbnails: readonly SheetFrame[];
  /** Frames in which pngjs does not see the verified pixels. */
  readonly findings: readonly Finding[];
}

/** More pictures than one looks at on a sheet. */
const MOST_PICTURES = 60;
const POOL = { size: 2, startMs: 30_000, deadlineMs: 120_000, heapMegabytes: 512 };

/** Writes every frame, and draws a thumbnail of it. Throws JOIN_ASSEMBLE_FAILED where it has a folder. */
export async function drawSequence({ verified, folder, clock, signal }: DrawOptions): Promise<Drawn> {
  const { frames } = verified;
  signal?.throwIfAborted();
  const tasks = tasksOf(verified, folder);
  const outcomes = await runAll(tasks, { clock, signal });
  const findings: Finding[] = [];
  const thumbnails: SheetFrame[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const [frame, task] = [frames[index], tasks[index]];
    if (frame === undefined || task === undefined) continue;
    const failure = failureOf(outcome);
    if (failure !== null && folder !== null) throw new HandoffError("JOIN_ASSEMBLE_FAILED", failure);
    if (outcome.ended !== "answered") continue;
    const { answer } = outcome;
    if (answer.ended === "disagree")
      findings.push(
        finding("PNG_DECODERS_DISAGREE", {
          slot: frame.slot,
          frame: frame.frame,
          path: slotPath(frame.slot, `bundle.zip#${frame.member}`),
          expected: frame.pixels_sha256,
          actual: answer.actual,
        }),
      );
    if (answer.ended === "written" && answer.thumbnail !== null && task.thumbnail !== null)
      thumbnails.push({
        frame: frame.frame,
        slot: frame.slot,
        size: task.thumbnail,
        pixels: answer.thumbnail,
      });
  }
  return { thumbnails, findings };
}

function tasksOf({ job, bundles, frames }: VerifiedFrames, folder: string | null): DrawTask[] {
  const { spec, caps, slots } = planOf(job);
  const size = fittingSize(spec, CELL);
  return frames.map((frame, index) => ({
    path: bundles[frame.slot],
    members: slots[frame.slot].members,
    caps,
    member: frame.member,
    spec,
    sha256: frame.sha256,
    pixelsSha256: frame.pixels_sha256,
    target: folder === null ? null : join(folder, frame.member),
    thumbnail: isDrawn(index, frames.length) ? size : null,
  }));
}

const NOTHING: Outcome<DrawAnswer> = { ended: "answered", answer: { ended: "written", thumbnail: null } };

async function runAll(
  tasks: readonly DrawTask[],
  { clock, signal }: Pick<DrawOptions, "clock" | "signal">,
): Promise<Outcome<DrawAnswer>[]> {
  const workerData = { memoryBytes: memoryShare(POOL.size) };
  const entry = siblingModule(import.meta.url, "worker");
  const pool = new Pool<DrawTask, DrawAnswer>({ ...POOL, entry, clock, workerData }).start();
  const end = (): void => void pool.close();
  signal?.addEventListener("abort", end);
  try {
    const outcomes = await Promise.all(
      tasks.map((task) => (task.target === null && task.thumbnail === null ? NOTHING : pool.run(task))),
    );
    signal?.throwIfAborted();
    return outcomes;
  } finally {
    signal?.removeEventListener("abort", end);
    await pool.close();
  }
}

function failureOf(outcome: Outcome<DrawAnswer>): string | null {
  if (outcome.ended !== "answered") return outcome.detail;
  return outcome.answer.ended === "failed" ? outcome.answer.detail : null;
}

/** Whether a frame of a range is among the even choice that is looked at. */
export const isDrawn = (index: number, count: number): boolean =>
  count <= MOST_PICTURES ||
  Math.floor((index * MOST_PICTURES) / count) !== Math.floor(((index - 1) * MOST_PICTURES) / count);
