import { chmod, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sweepLeftovers } from "../blender/sweep.ts";
import type { Clock } from "../core/clock.ts";
import { sha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import type { State } from "../gateway-client/state.ts";
import type { RunContext } from "./context.ts";

/** A run's own folder: nothing in it is shared with another attempt. */
export interface RunFolder {
  /** Relative to the state folder: `runs/a.3.1` is slot a, fence 3, first attempt. */
  readonly name: string;
  readonly path: string;
  readonly scene: string;
  readonly output: string;
  readonly frames: string;
  /** Marks every process of this attempt. */
  readonly marker: string;
}

/** Markers of this state folder's processes begin so. */
const markerPrefix = (stateFolder: string): string => `rh-${sha256(stateFolder).slice(0, 16)}-`;

export async function makeRunFolder(
  stateFolder: string,
  lease: { readonly slot: string; readonly fence: number; readonly taskId: string },
): Promise<RunFolder> {
  await mkdir(join(stateFolder, "runs"), { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    const own = `${lease.slot}.${lease.fence}.${sha256(lease.taskId).slice(0, 8)}.${attempt}`;
    const path = join(stateFolder, "runs", own);
    try {
      await mkdir(path, { mode: 0o700 });
    } catch (thrown) {
      if (systemCode(thrown) === "EEXIST") continue;
      throw thrown;
    }
    const folder = {
      name: `runs/${own}`,
      path,
      scene: join(path, "scene"),
      output: join(path, "output"),
      frames: join(path, "frames"),
      marker: `${markerPrefix(stateFolder)}${own}`,
    };
    for (const part of [folder.scene, folder.output, folder.frames]) await mkdir(part, { mode: 0o700 });
    return folder;
  }
}

/** Removes a tree that may hold folders which nobody may list or write to: a scene's scripts can make such. */
export async function removeTree(path: string): Promise<void> {
  // what cannot be opened up, rm names in its error
  await openUp(path).catch(() => {});
  await rm(path, { recursive: true, force: true });
}

async function openUp(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openUp(join(folder, entry.name));
}

/** Clears up. That it failed does not change how the run ended: the next run's sweep tries again. */
export async function tryCleanup(run: RunContext, clean: () => Promise<void>): Promise<void> {
  try {
    await clean();
  } catch (thrown) {
    const code = thrown instanceof HandoffError ? thrown.code : systemCode(thrown);
    run.options.logger.log("warning", "cleanup_failed", {
      step: run.report.step,
      ...(code === undefined ? {} : { code }),
    });
  }
}

/**
 * First act of a run: ends what killed runs of this state folder left alive and removes their folders, but
 * for those that the outbox needs. Throws RENDER_PROCESS_ALIVE when something cannot be ended.
 */
export async function sweepEarlierRuns(state: State, clock: Clock): Promise<void> {
  const sweep = await sweepLeftovers({ markerPrefix: markerPrefix(state.folder), clock });
  if (sweep.proof === "alive") throw new HandoffError("RENDER_PROCESS_ALIVE", markerPrefix(state.folder));
  const used = new Set(state.outbox.foldersInUse());
  const runs = join(state.folder, "runs");
  for (const own of await readdir(runs).catch(() => [])) {
    if (used.has(`runs/${own}`)) continue;
    state.outbox.forgetFolder(`runs/${own}`);
    await removeTree(join(runs, own));
  }
}
