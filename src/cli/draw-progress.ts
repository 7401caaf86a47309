import type { Progress } from "../../contracts/wire/queue.ts";
import type { CliContext } from "./context.ts";

export interface ProgressLine {
  show(progress: Progress): void;
  /** Clears the line. */
  end(): void;
}

/** Of the bar: the whole line then has room in 80 columns. */
const WIDTH = 12;

/** One line, cut to the terminal, that is drawn over and over on it; nothing elsewhere. */
export function drawProgress(context: CliContext): ProgressLine {
  if (!context.terminal) return { show: () => {}, end: () => {} };
  return {
    show: (progress) => context.err(`\r\u001b[K${lineOf(progress).slice(0, context.columns() - 1)}`),
    end: () => context.err("\r\u001b[K"),
  };
}

export function lineOf(progress: Progress): string {
  const { phase, frame, frames_done, sample, samples, watchdog_left_s } = progress;
  const share = sample === null || samples === null || samples === 0 ? 0 : Math.min(1, sample / samples);
  const bar = phase === "render" ? `[${"#".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, ".")}] ` : "";
  const parts = [
    phase.padEnd(7),
    `${bar}${frames_done} done`,
    frame === null ? null : `frame ${frame}`,
    sample === null ? null : `sample ${sample}/${samples ?? "?"}`,
    watchdog_left_s === null ? null : `watchdog ${watchdog_left_s} s left`,
  ];
  return parts.filter((part) => part !== null).join("  ");
}
