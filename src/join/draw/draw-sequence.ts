import { join } from "node:path";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Clock } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import { siblingModule } from "../../core/sibling.ts";
import { planOf } from "../decode/plan.ts";
import { Pool } from "../decode/pool.ts";
import { finding, slotPath } from "../finding.ts";
import type { AcceptedEvidence } from "../verdict.ts";
import { CELL, contactSheet, type SheetFrame } from "./contact-sheet.ts";
import type { DrawAnswer, DrawTask } from "./messages.ts";
import { fittingSize } from "./thumbnail.ts";

export interface DrawOptions {
  readonly accepted: AcceptedEvidence;
  /** Where the frames are written. */
  readonly folder: string;
  readonly clock: Pick<Clock, "sleep">;
}

export type Drawn =
  | { readonly ok: true; readonly sheet: Buffer }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** More pictures than one looks at on a sheet; of a longer range an even choice is drawn. */
const MOST_PICTURES = 60;
const POOL = { size: 2, startMs: 30_000, deadlineMs: 120_000, heapMegabytes: 512 };

/** Writes every frame and draws the contact sheet. Throws JOIN_ASSEMBLE_FAILED. */
export async function drawSequence({ accepted, folder, clock }: DrawOptions): Promise<Drawn> {
  const { job, bundles, frames } = accepted;
  const pool = new Pool<DrawTask, DrawAnswer>({
    ...POOL,
    entry: siblingModule(import.meta.url, "worker"),
    clock,
  }).start();
  try {
    const { spec, caps, slots } = planOf(job);
    const size = fittingSize(spec, CELL);
    const outcomes = await Promise.all(
      frames.map((frame, index) =>
        pool.run({
          path: bundles[frame.slot],
          members: slots[frame.slot].members,
          caps,
          member: frame.member,
          spec,
          sha256: frame.sha256,
          pixelsSha256: frame.pixels_sha256,
          target: join(folder, frame.member),
          thumbnail: isDrawn(index, frames.length) ? size : null,
        }),
      ),
    );
    const findings: Finding[] = [];
    const drawn: SheetFrame[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const frame = frames[index];
      if (frame === undefined) continue;
      if (outcome.ended !== "answered") throw new HandoffError("JOIN_ASSEMBLE_FAILED", outcome.detail);
      const { answer } = outcome;
      if (answer.ended === "failed") throw new HandoffError("JOIN_ASSEMBLE_FAILED", answer.detail);
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
      else if (answer.thumbnail !== null)
        drawn.push({ frame: frame.frame, slot: frame.slot, size, pixels: answer.thumbnail });
    }
    return findings.length > 0 ? { ok: false, findings } : { ok: true, sheet: contactSheet(drawn) };
  } finally {
    await pool.close();
  }
}

const isDrawn = (index: number, count: number): boolean =>
  count <= MOST_PICTURES ||
  Math.floor((index * MOST_PICTURES) / count) !== Math.floor(((index - 1) * MOST_PICTURES) / count);
