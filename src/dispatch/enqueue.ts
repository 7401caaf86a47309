import { JobId, Label } from "../../contracts/names.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { readGatewayUrl } from "../gateway-client/gateway-url.ts";
import type { NewEntry } from "./queue.ts";
import { DEFAULT_EVERY_SECONDS } from "./settle.ts";
import { withSchedule } from "./with-schedule.ts";

export interface EnqueueOptions {
  readonly stateFolder: string;
  readonly id: string;
  readonly slot: NewEntry["slot"];
  /** Null: the oldest claimable task of the slot, again and again. */
  readonly jobId: string | null;
  readonly gatewayUrl: string;
  readonly allowInsecure: boolean;
  /** Pause between runs of an entry without a job; null for the usual one. */
  readonly everySeconds: number | null;
  /** Wall-clock seconds; null: at once. */
  readonly due: number | null;
  readonly clock: Clock;
}

/**
 * Adds an entry without speaking to the gateway. Throws USAGE_DISPATCH_KNOWN for an id that is there: neither
 * its due time nor its host's gate is touched; USAGE_ARGUMENT, USAGE_INSECURE_GATEWAY, STATE_UNUSABLE.
 */
export function enqueue(options: EnqueueOptions): void {
  if (!Label.safeParse(options.id).success)
    throw new HandoffError("USAGE_ARGUMENT", "An id has 1 to 200 characters.");
  if (options.jobId !== null && !JobId.safeParse(options.jobId).success)
    throw new HandoffError("USAGE_ARGUMENT", "That is no job id.");
  if (options.jobId !== null && options.everySeconds !== null)
    throw new HandoffError("USAGE_ARGUMENT", "--every is for entries without --job.");
  readGatewayUrl(options.gatewayUrl, options.allowInsecure);
  const entry: NewEntry = {
    id: options.id,
    slot: options.slot,
    job_id: options.jobId,
    gateway_url: options.gatewayUrl,
    every_seconds: options.jobId === null ? (options.everySeconds ?? DEFAULT_EVERY_SECONDS) : null,
    due: options.due ?? options.clock.wallSeconds(),
  };
  const added = withSchedule(options.stateFolder, options.clock, ({ queue }) => queue.add(entry));
  if (!added) throw new HandoffError("USAGE_DISPATCH_KNOWN", `It is ${options.id}.`);
}
