import { SLOTS } from "../../contracts/flow.ts";
import type { Json } from "../../contracts/json.ts";
import { slotTaskId } from "../../contracts/names.ts";

/** What a gateway has taken and told: later answers are held to it. */
export interface Told {
  /** By task id. */
  readonly tasks: Map<string, { readonly payload: Json; readonly leaseSeconds: number }>;
  /** By job id: the digest of its bytes. */
  readonly jobs: Map<string, string>;
  /** By `leaseKey`, with the expiry that was told last. */
  readonly leases: Map<string, ToldLease>;
  /** By `versionKey`: what was accepted as this version of the task. */
  readonly results: Map<string, ToldResult>;
}
export interface ToldLease {
  readonly workerId: string;
  readonly version: number;
  readonly expiresAt: string;
}
export interface ToldResult {
  readonly sha256: string;
  readonly receipt: Buffer;
  readonly workerId: string;
  readonly fence: number;
}

export const openTold = (): Told => ({
  tasks: new Map(),
  jobs: new Map(),
  leases: new Map(),
  results: new Map(),
});

export const leaseKey = (taskId: string, fence: unknown): string => `${taskId} ${String(fence)}`;
export const versionKey = (taskId: string, version: unknown): string => `${taskId} ${String(version)}`;

/** A job that was taken is two tasks, each with its slot as the payload. */
export function noteJob(told: Told, job: { id: string; sha256: string; leaseSeconds: number }): void {
  told.jobs.set(job.id, job.sha256);
  for (const slot of SLOTS)
    told.tasks.set(slotTaskId(job.id, slot), {
      payload: { schema: "render_handoff.slot_task.v1", job_sha256: job.sha256, job_id: job.id, slot },
      leaseSeconds: job.leaseSeconds,
    });
}
