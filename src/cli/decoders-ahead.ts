import { statSync } from "node:fs";
import { systemClock } from "../core/clock.ts";
import { nodeIsTooOld } from "../core/node-version.ts";
import { bundleBytes } from "../join/decode/bundle-bytes.ts";
import { openDecoders } from "../join/decode/open-decoders.ts";
import type { Decoders } from "../join/decode/run-plan.ts";

let ahead: Decoders | null = null;

/**
 * Starts the decoder threads of `join verify FOLDER…` before the rest of the program is loaded: a thread takes as
 * long to start as everything that happens until it has work. A call that turns out to be another one ends them
 * again.
 */
export function startAhead(args: readonly string[]): void {
  const [command, ...rest] = args;
  if (command !== "verify" || rest.includes("--help") || nodeIsTooOld(process.versions.node)) return;
  const folders = rest.filter(isFolder);
  if (folders.length > 0) ahead = openDecoders({ bundleBytes: bundleBytes(folders) }, systemClock);
}

/** Those threads, for whoever ends them; else new ones. */
export function takeDecoders(folders: readonly string[]): Decoders {
  const taken = ahead ?? openDecoders({ bundleBytes: bundleBytes(folders) }, systemClock);
  ahead = null;
  return taken;
}

export async function endAhead(): Promise<void> {
  await ahead?.close();
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // a flag, its value, or a folder that is not there: the command will say so
  }
}
