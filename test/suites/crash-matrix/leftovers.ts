import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { takeRunLock } from "../../../src/gateway-client/run-lock.ts";

/** What crashes have left behind: of processes after a moment for the kernel, of files and locks at once. */
export async function leftovers(folder: string, states: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let alive = processesThatName(folder);
  for (let tries = 0; tries < 250 && alive.length > 0; tries += 1) {
    await systemClock.sleep(40);
    alive = processesThatName(folder);
  }
  found.push(...alive.map((one) => `alive: ${one}`));
  for (const name of await readdir(join(folder, "tmp"))) found.push(`temporary: ${name}`);
  for (const state of states) {
    for (const name of await readdir(join(state, "runs")).catch(() => [])) found.push(`run folder: ${name}`);
    for (const name of await readdir(join(state, "scenes")).catch(() => []))
      if (!/^[0-9a-f]{64}$/.test(name)) found.push(`half a download: ${name}`);
    const lock = takeRunLock(join(state, "run-lock.sqlite"));
    if (lock === null) found.push(`locked: ${state}`);
    lock?.release();
  }
  return found;
}

/** Living processes with the folder's name in their arguments or their environment: children, Blender, wrappers. */
function processesThatName(folder: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const state = readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, "")[0];
      const about = readFileSync(`/proc/${pid}/cmdline`) + readFileSync(`/proc/${pid}/environ`, "latin1");
      return state !== "Z" && about.includes(folder) ? [`${pid} ${about.slice(0, 80)}`] : [];
    } catch {
      return [];
    }
  });
}
