import { type ExecFileException, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Where the built commands are; BENCH_BIN compares with those of another build. */
export const BIN = process.env["BENCH_BIN"] ?? join(import.meta.dirname, "../../dist/src/cli/bin");

export interface Ended {
  readonly stdout: string;
  readonly seconds: number;
}

/** Runs a program to its end and measures it as a whole process; a failure ends the bench. */
export const run = (file: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    execFile(file, args, { maxBuffer: 1 << 28 }, (error: ExecFileException | null, stdout, stderr) => {
      if (error === null) resolve({ stdout, seconds: (performance.now() - started) / 1_000 });
      else reject(new Error(`${file} ${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error }));
    });
  });

export const own = (
  program: "join" | "render-child" | "render-handoff",
  args: readonly string[],
): Promise<Ended> => run(process.execPath, [join(BIN, `${program}.js`), ...args]);

export interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

export async function serve(data: string): Promise<Served> {
  const child = spawn(
    process.execPath,
    [join(BIN, "render-handoff.js"), "gateway", "serve", "--data", data, "--port", "0", "--json"],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return {
    url: JSON.parse(String(line)).url,
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}
