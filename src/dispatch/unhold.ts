import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { withSchedule } from "./with-schedule.ts";

/**
 * An operator's act: clears the hold of a host (`host:port`) or of an entry. A pause that has an end is no
 * hold and stays. Throws USAGE_DISPATCH_NOT_HELD when nothing of that name is held.
 */
export function unhold(options: { stateFolder: string; name: string; clock: Clock }): "host" | "entry" {
  const { stateFolder, name, clock } = options;
  return withSchedule(stateFolder, clock, ({ queue, hosts }) => {
    if (hosts.look(name).held) {
      hosts.clear(name);
      return "host";
    }
    if (queue.release(name)) return "entry";
    throw new HandoffError("USAGE_DISPATCH_NOT_HELD", `It is ${name}.`);
  });
}
