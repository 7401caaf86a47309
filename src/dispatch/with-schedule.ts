import type { Clock } from "../core/clock.ts";
import { readGatewayUrl } from "../gateway-client/gateway-url.ts";
import type { HostGate } from "../gateway-client/host-gate.ts";
import { openState } from "../gateway-client/state.ts";
import type { Considered } from "./pick.ts";
import { openQueue, type Queue } from "./queue.ts";

export interface Schedule {
  readonly queue: Queue;
  readonly hosts: HostGate;
  /** Every entry with its host's gate. */
  considered(): Considered[];
}

/** The queue and the host gates of a state folder, open while `work` runs. Throws STATE_UNUSABLE. */
export function withSchedule<T>(stateFolder: string, clock: Clock, work: (schedule: Schedule) => T): T {
  const state = openState(stateFolder, clock);
  try {
    const queue = openQueue(stateFolder, clock);
    try {
      return work({ queue, hosts: state.hosts, considered: () => consider(queue, state.hosts) });
    } finally {
      queue.close();
    }
  } finally {
    state.close();
  }
}

const consider = (queue: Queue, hosts: HostGate): Considered[] =>
  queue.list().map((entry) => {
    const { host } = readGatewayUrl(entry.gateway_url, true);
    return { entry, host, gate: hosts.look(host) };
  });
