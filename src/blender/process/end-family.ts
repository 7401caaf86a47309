import type { Clock } from "../../core/clock.ts";
import { systemCode } from "../../core/error.ts";
import type { ProcessEntry } from "./proc.ts";

/** Whether every member was seen to be gone, or one could not be ended. */
export type Proof = "gone" | "alive";

/** Longest wait after SIGKILL: the kernel needs a moment for large processes, an uninterruptible one never ends. */
const KILL_WAIT_MS = 3_000;
const POLL_MS = 20;

/** SIGTERM, a grace, SIGKILL, and a bounded wait until no member lives. `graceMs` 0 goes to SIGKILL at once. */
export async function endFamily(options: {
  readonly living: () => readonly ProcessEntry[];
  readonly graceMs: number;
  readonly clock: Clock;
}): Promise<Proof> {
  const { living, graceMs, clock } = options;
  if (graceMs > 0) {
    for (const member of living()) send(member.pid, "SIGTERM");
    if (await emptied(living, graceMs, clock)) return "gone";
  }
  const end = clock.monotonicMs() + KILL_WAIT_MS;
  for (;;) {
    const members = living();
    if (members.length === 0) return "gone";
    // Again and again: a member can have forked between the listing and the signal.
    for (const member of members) send(member.pid, "SIGKILL");
    if (clock.monotonicMs() >= end) return living().length === 0 ? "gone" : "alive";
    await clock.sleep(POLL_MS);
  }
}

async function emptied(
  living: () => readonly ProcessEntry[],
  waitMs: number,
  clock: Clock,
): Promise<boolean> {
  const end = clock.monotonicMs() + waitMs;
  while (living().length > 0) {
    if (clock.monotonicMs() >= end) return false;
    await clock.sleep(POLL_MS);
  }
  return true;
}

function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    // Gone in the meantime, or another user's: the proof that follows decides.
    if (systemCode(thrown) !== "ESRCH" && systemCode(thrown) !== "EPERM") throw thrown;
  }
}
