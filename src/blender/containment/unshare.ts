import type { Command, Launch } from "./command.ts";
import { realEnvironment, realPaths } from "./process-group.ts";

/** What stands before Blender: a PID namespace with its own /proc whose init dies with the wrapper. */
export const unsharePrefix = (root: boolean): string[] => [
  ...["--pdeathsig", "KILL", "--", "unshare"],
  ...(root ? [] : ["--user", "--map-current-user"]),
  // --mount-proc: else the host's /proc, and with it other processes' environments, stays visible.
  ...["--pid", "--mount-proc", "--fork", "--kill-child=KILL", "--"],
];

/** Blender in a PID namespace of its own, for trusted scenes: nothing in it outlives its init. */
export function unshareCommand(launch: Launch): Command {
  return {
    file: "setpriv",
    args: [
      ...unsharePrefix(process.getuid?.() === 0),
      launch.executable,
      ...launch.arguments(realPaths(launch)),
    ],
    env: realEnvironment(launch),
  };
}
