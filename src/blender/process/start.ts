import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Command } from "../containment/command.ts";
import { inheritedDescriptors } from "./proc.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Started {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Of the process itself; a descendant may hold the streams open after it. */
  readonly exited: Promise<Exit>;
}

/**
 * Starts the command in a group of its own, with three descriptors of its own and nothing of ours; the reason
 * where it cannot be started. (node:child_process and not a library over it: two hundred modules and tens of
 * megabytes for these lines.)
 */
export async function start(options: {
  readonly command: Command;
  readonly cwd: string;
}): Promise<Started | { readonly failed: string }> {
  try {
    const child = spawned(options);
    const { pid, stdout, stderr } = child;
    if (pid === undefined || stdout === null || stderr === null) {
      await once(child, "spawn"); // without a number an error is on its way
      return { failed: "it could not be started" };
    }
    const exited = new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    return { pid, stdout, stderr, exited };
  } catch (thrown) {
    return { failed: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function spawned({ command, cwd }: Parameters<typeof start>[0]): ChildProcess {
  const nothing = openSync("/dev/null", "r");
  const inherited = inheritedDescriptors();
  // A descriptor that we were started with ourselves would be a way out of the container: made /dev/null.
  const further = Array.from({ length: Math.max(2, ...inherited) - 2 }, (_, index) =>
    inherited.includes(index + 3) ? nothing : ("ignore" as const),
  );
  try {
    return spawn(command.file, command.args, {
      env: { ...command.env },
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", ...further],
    });
  } finally {
    closeSync(nothing);
  }
}
