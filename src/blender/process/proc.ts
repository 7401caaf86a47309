import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { MARKER_VARIABLE } from "../containment/command.ts";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot: with the pid it names one process for ever. */
  readonly startTicks: number;
}

/** Living processes of this machine; the dead that nobody has waited for (zombies) are none. */
export function livingProcesses(): ProcessEntry[] {
  return entries("/proc").flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) ? (entryOf(pid) ?? []) : [];
  });
}

function entryOf(pid: number): ProcessEntry | null {
  const stat = text(`/proc/${pid}/stat`);
  // The name in brackets can hold anything: fields are counted behind its last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "";
  if (state === "" || state === "Z" || state === "X") return null;
  const [parent, group, session, startTicks] = [fields[1], fields[2], fields[3], fields[19]].map(Number);
  if (parent === undefined || group === undefined || session === undefined || startTicks === undefined)
    return null;
  return { pid, parent, group, session, startTicks };
}

/** Value of our marker in a process's first environment; null without one or when it may not be read. */
export function markerOf(pid: number): string | null {
  const prefix = `${MARKER_VARIABLE}=`;
  const found = text(`/proc/${pid}/environ`)
    .split("\0")
    .find((entry) => entry.startsWith(prefix));
  return found === undefined ? null : found.slice(prefix.length);
}

/** Identity of a process's PID namespace; null when it cannot be told. */
export function pidNamespaceOf(pid: number | "self"): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors above 2 that a new process would inherit: Node closes what it opens itself, not what it was
 * started with.
 */
export const inheritedDescriptors = (): number[] =>
  entries("/proc/self/fd")
    .map(Number)
    .filter((fd) => {
      const flags = /^flags:\s+(\d+)$/m.exec(text(`/proc/self/fdinfo/${fd}`))?.[1];
      return fd > 2 && flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
    });

/** Highest resident size that a process has had, in bytes; 0 when unknown. */
export function peakResidentBytes(pid: number): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(text(`/proc/${pid}/status`))?.[1];
  return kib === undefined ? 0 : Number(kib) * 1024;
}

// Processes vanish between listing and reading: whatever cannot be read is not there.
function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Read into one buffer for all: readFileSync takes 64 KiB for each file of /proc, and there are hundreds. */
function text(path: string): string {
  scratch ??= Buffer.allocUnsafeSlow(16 * 1024);
  let found = "";
  let fd: number | null = null;
  try {
    fd = openSync(path, "r");
    for (let read = scratch.length; read > 0; ) {
      read = readSync(fd, scratch, 0, scratch.length, null);
      found += scratch.toString("latin1", 0, read);
    }
    return found;
  } catch {
    return "";
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
let scratch: Buffer | undefined;
