import type { Slot } from "../../contracts/flow.ts";
import type { Progress } from "../../contracts/wire/queue.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { ExchangeRecord } from "../gateway-client/client.ts";
import type { RunPoint } from "./fault-points.ts";
import type { MetadataWish } from "./metadata.ts";

/** Everything that one run needs; nothing is read from the environment. */
export interface ChildOptions {
  readonly slot: Slot;
  /** Null: the oldest claimable task of the slot. */
  readonly jobId: string | null;
  readonly gatewayUrl: string;
  readonly allowInsecure: boolean;
  readonly workerUuid: string;
  readonly token: string;
  /** Of this gateway and this worker alone; made when it is not there. */
  readonly stateFolder: string;
  /** Null: found on the system's path. */
  readonly blender: string | null;
  /** Threads for Blender; 0 takes all. */
  readonly threads: number;
  readonly allowScripts: boolean;
  readonly trustScenes: boolean;
  /** Only hands in what earlier runs left. */
  readonly drainOnly: boolean;
  /** Gives up finished work whose files are gone: an operator says so. */
  readonly discardLost?: boolean;
  /** Longest time that all waits for the gateway together may take. */
  readonly maxWaitSeconds: number;
  /** Aborts the run; its reason is a HandoffError, INTERRUPTED where it is none. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Text of the frames that is kept on this machine; absent: none. */
  readonly metadata?: MetadataWish;
  readonly onProgress?: (progress: Progress) => void;
  readonly onExchange?: (record: ExchangeRecord) => void;
  /** Where tests stop a run to end it; no command sets it. */
  readonly faultPoint?: (point: RunPoint) => Promise<void>;
}
