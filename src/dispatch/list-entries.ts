import { type Clock, timestamp } from "../core/clock.ts";
import { dueOf } from "./pick.ts";
import type { Entry } from "./queue.ts";
import { withSchedule } from "./with-schedule.ts";

export interface ListedEntry extends Omit<Entry, "due"> {
  readonly host: string;
  /** When it is run next, its host's gate included; null when it is done or waits for an operator. */
  readonly next_due_utc: string | null;
  /** Whether its host waits for an operator, and why. */
  readonly host_held: string | null;
}

/** Every entry as it stands. Throws STATE_UNUSABLE. */
export const listEntries = (stateFolder: string, clock: Clock): ListedEntry[] =>
  withSchedule(stateFolder, clock, ({ considered }) =>
    considered().map((one) => {
      const { due, ...entry } = one.entry;
      const comes = due !== null && entry.state === "waiting" && !one.gate.held;
      return {
        ...entry,
        host: one.host,
        next_due_utc: comes ? timestamp(dueOf(one)) : null,
        host_held: one.gate.held ? (one.gate.reason ?? "held") : null,
      };
    }),
  );
