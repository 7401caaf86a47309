import type { Containment } from "../../../contracts/documents/policy.ts";
import type { Clock } from "../../core/clock.ts";
import { runBriefly } from "../process/run-briefly.ts";
import { BWRAP_SYSTEM, BWRAP_WALLS } from "./bwrap.ts";
import { SYSTEM_PATH } from "./command.ts";
import { unsharePrefix } from "./unshare.ts";

export interface Rung {
  readonly available: boolean;
  /** Version of the tool, or why it does not work here. */
  readonly detail: string;
}
export type ContainmentReport = Readonly<Record<Containment, Rung>>;

/** Tries each containment on a harmless program: that a tool is installed does not mean that the kernel lets it. */
export async function detectContainments(clock: Clock): Promise<ContainmentReport> {
  const [bwrap, unshare, group] = await Promise.all([
    tried(clock, "bwrap", [...BWRAP_WALLS, ...BWRAP_SYSTEM, "--clearenv", "--", "/usr/bin/true"]),
    tried(clock, "setpriv", [...unsharePrefix(process.getuid?.() === 0), "/usr/bin/true"]),
    tried(clock, "setpriv", ["--pdeathsig", "KILL", "--", "/usr/bin/true"]),
  ]);
  return { bwrap, unshare, "process-group": group };
}

async function tried(clock: Clock, file: string, args: readonly string[]): Promise<Rung> {
  const env = { PATH: SYSTEM_PATH, LANG: "C" };
  const result = await runBriefly({ file, args, env, milliseconds: 10_000, clock });
  if (result.exitCode !== 0)
    return { available: false, detail: result.output.trim().split("\n").at(-1) || `${file} did not work` };
  const version = await runBriefly({ file, args: ["--version"], env, milliseconds: 10_000, clock });
  return { available: true, detail: version.output.trim().split("\n")[0] ?? "" };
}
