import type { HostState } from "../gateway-client/host-gate.ts";
import type { Entry } from "./queue.ts";

/** An entry with what is known of its gateway's host. */
export interface Considered {
  readonly entry: Entry;
  readonly host: string;
  readonly gate: HostState;
}

export interface Picked {
  /** What to run now; null when nothing is due. */
  readonly due: Considered | null;
  /** Wall-clock seconds at which the first entry comes due; null when none will by itself. */
  readonly nextDue: number | null;
  /** Hosts that wait for an operator, each once; then entries that do. */
  readonly heldHosts: readonly string[];
  readonly heldEntries: readonly string[];
}

/** The entry that has been due longest on a host that may be spoken to. */
export function pick(entries: readonly Considered[], now: number): Picked {
  const waiting = entries.filter(({ entry }) => entry.state === "waiting");
  const timed = waiting
    .filter(({ gate }) => !gate.held)
    .map((one) => ({ one, at: dueOf(one) }))
    .sort((left, right) => left.at - right.at);
  const first = timed[0] ?? null;
  return {
    due: first !== null && first.at <= now ? first.one : null,
    nextDue: first?.at ?? null,
    heldHosts: [...new Set(waiting.filter(({ gate }) => gate.held).map(({ host }) => host))],
    heldEntries: entries.filter(({ entry }) => entry.state === "held").map(({ entry }) => entry.id),
  };
}

/** An entry's own time, or the time before which its host is not to be asked. */
export const dueOf = ({ entry, gate }: Considered): number => Math.max(entry.due ?? 0, gate.notBefore ?? 0);
