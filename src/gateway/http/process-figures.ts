import { readdir } from "node:fs/promises";

/** What the system says of this process. */
export interface ProcessFigures {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Null where the system does not tell (no /proc). */
  readonly openFiles: number | null;
}

export async function processFigures(): Promise<ProcessFigures> {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const files = await readdir("/proc/self/fd").catch(() => null);
  return {
    cpuSeconds: (user + system) / 1_000_000,
    residentBytes: rss,
    heapBytes: heapUsed,
    openFiles: files === null ? null : files.length,
  };
}
