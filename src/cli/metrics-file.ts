import type { Progress } from "../../contracts/wire/queue.ts";
import type { FinishedRun } from "../render-child/textfile.ts";
import type { CliContext } from "./context.ts";
import { refuseUnwritable } from "./output-file.ts";

export interface MetricsFile {
  see(progress: Progress): void;
  /** A failure is logged: figures do not decide how a run ended. */
  write(run: Omit<FinishedRun, "frames">): Promise<void>;
}

/** The file of --metrics-file; that its folder is not there is said before the run (USAGE_FOLDER_UNWRITABLE). */
export async function openMetricsFile(path: string | undefined, context: CliContext): Promise<MetricsFile> {
  if (path === undefined) return { see: () => {}, write: async () => {} };
  await refuseUnwritable(path);
  let frames = 0;
  return {
    see: ({ frames_done }) => {
      frames = Math.max(frames, frames_done);
    },
    write: async (run) => {
      try {
        const { writeTextfile } = await import("../render-child/textfile.ts");
        await writeTextfile(path, { ...run, frames }, context.clock);
      } catch {
        context.logger.log("warning", "metrics_file_failed");
      }
    },
  };
}
