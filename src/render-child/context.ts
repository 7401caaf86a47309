import type { GatewayClient } from "../gateway-client/client.ts";
import type { State } from "../gateway-client/state.ts";
import type { HeartbeatThread } from "./heartbeat/start.ts";
import type { ChildOptions } from "./options.ts";
import type { Report } from "./report.ts";

/** What every step of a run is given. */
export interface RunContext {
  readonly options: ChildOptions;
  readonly state: State;
  /** Ends its calls when the run is stopped. */
  readonly client: GatewayClient;
  readonly gatewayId: string;
  readonly report: Report;
  /** The run's one heartbeat thread; started when it is first asked for. */
  readonly heartbeat: () => HeartbeatThread;
}
