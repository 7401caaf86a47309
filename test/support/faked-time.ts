import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "./temporary.ts";

export interface FakedTime {
  /** For a process whose wall clock, and nothing else of its time, is ours. */
  readonly env: Record<string, string>;
  /** The same as a command to start it under. */
  readonly under: readonly string[];
  /** The process's wall clock is off by so much from now on. */
  jumpTo(seconds: number): Promise<void>;
}

/** libfaketime over a file that is read anew at each look at the clock. */
export async function fakedTime(): Promise<FakedTime> {
  const library = globSync("/usr/lib/*/faketime/libfaketime.so.1")[0];
  if (library === undefined) throw new Error("libfaketime is not installed (Debian: faketime)");
  const file = join(await temporaryFolder(), "offset");
  const jumpTo = (seconds: number): Promise<void> =>
    writeFile(file, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
  await jumpTo(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1",
  };
  return {
    env,
    under: ["/usr/bin/env", ...Object.entries(env).map((pair) => pair.join("="))],
    jumpTo,
  };
}
