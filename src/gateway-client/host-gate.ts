/** What is known about a host:port. `notBefore` is wall-clock seconds. */
export interface HostState {
  readonly notBefore: number | null;
  readonly held: boolean;
  readonly reason: string | null;
}

/**
 * When a host may be spoken to again, and which gateway answers. What is set is durable when the call
 * returns; set by 429 and 503 alone.
 */
export interface HostGate {
  look(host: string): HostState;
  pause(host: string, notBefore: number, reason: string): void;
  hold(host: string, reason: string): void;
  /** An operator's act. */
  clear(host: string): void;
  /** Id of the gateway that this state belongs to, once one was seen. */
  gatewayId(): string | null;
  rememberGateway(gatewayId: string): void;
}

const OPEN: HostState = { notBefore: null, held: false, reason: null };

/** A gate that lasts as long as one command: for administrators and checkers, who keep no state folder. */
export function memoryHostGate(gatewayId: string | null = null): HostGate {
  const hosts = new Map<string, HostState>();
  let known = gatewayId;
  return {
    look: (host) => hosts.get(host) ?? OPEN,
    pause: (host, notBefore, reason) => hosts.set(host, { notBefore, held: false, reason }),
    hold: (host, reason) => hosts.set(host, { notBefore: null, held: true, reason }),
    clear: (host) => hosts.delete(host),
    gatewayId: () => known,
    rememberGateway: (id) => {
      known = id;
    },
  };
}
