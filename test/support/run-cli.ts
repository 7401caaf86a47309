import { execFile } from "node:child_process";
import { join } from "node:path";
import { bareEnvironment } from "./bare-environment.ts";

export interface CliRun {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** First word of stderr's last unindented line: the code. */
  readonly code: string;
}

type Program = "join" | "render-child" | "render-handoff";

/** Runs one of the three commands from its sources as a real process, with an environment of its own. */
export const runCli = (
  program: Program,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; stdin?: Uint8Array } = {},
): Promise<CliRun> =>
  new Promise((resolve) => {
    const bin = join(import.meta.dirname, `../../src/cli/bin/${program}.ts`);
    const env = { ...bareEnvironment(), HOME: "/nonexistent", LANG: "C", ...options.env };
    const child = execFile(
      process.execPath,
      [bin, ...args],
      { env, cwd: options.cwd, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => {
        const lines = stderr.split("\n").filter((line) => /^[A-Z]+_[A-Z_]+:|^[a-z]+(_[a-z]+)+:/.test(line));
        resolve({ exit: child.exitCode, stdout, stderr, code: lines.at(-1)?.split(":")[0] ?? "" });
      },
    );
    if (options.stdin !== undefined) child.stdin?.end(options.stdin);
  });
