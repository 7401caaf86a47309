import type { BundleManifest } from "../../contracts/documents/bundle-manifest.ts";
import type { EvidenceGateway } from "../../contracts/documents/evidence.ts";
import type { Job } from "../../contracts/documents/job.ts";
import type { Finding } from "../../contracts/documents/join-report.ts";
import type { Receipt } from "../../contracts/documents/receipt.ts";
import type { TaskRecord } from "../../contracts/documents/records.ts";
import type { SlotResult } from "../../contracts/documents/slot-result.ts";
import type { SlotTask } from "../../contracts/documents/slot-task.ts";
import type { Slot } from "../../contracts/flow.ts";
import type { FrameFacts } from "../frame/spec.ts";
import type { Look } from "./content/look.ts";
import type { Envelope } from "./envelope/read-envelope.ts";

/**
 * What was read and measured, ready for the checks. `null` means absent or malformed: whoever left it null
 * has made a finding of it, and a check that needs it stays silent.
 */
export interface Facts {
  readonly job: JobFacts | null;
  readonly gateway: EvidenceGateway | null;
  readonly slots: Readonly<Record<Slot, SlotFacts>>;
}

export interface JobFacts {
  readonly value: Job;
  readonly sha256: string;
}

export interface SlotFacts {
  readonly slot: Slot;
  readonly task: { readonly value: TaskRecord; readonly payload: SlotTask | null } | null;
  readonly request: RequestFacts | null;
  readonly receipt: { readonly value: Receipt; readonly sha256: string } | null;
  readonly before: ProvenanceFacts | null;
  readonly after: ProvenanceFacts | null;
  readonly bundle: BundleFacts | null;
}

export interface RequestFacts {
  readonly sha256: string;
  readonly task_id: string;
  readonly worker_id: string;
  readonly fencing_token: number;
  readonly result: SlotResult;
  /** Over the canonical form of the result. */
  readonly resultSha256: string;
}

export interface ProvenanceFacts {
  readonly gatewayId: string;
  readonly envelope: Envelope;
}

export interface BundleFacts {
  /** Null for a file over the cap. */
  readonly sha256: string | null;
  readonly bytes: number;
  readonly manifest: { readonly value: BundleManifest; readonly sha256: string } | null;
  /** Frames that passed, by number; a frame that did not has a finding. */
  readonly frames: ReadonlyMap<number, FrameFacts>;
  /** What each of them looks like. */
  readonly looks: ReadonlyMap<number, Look>;
}

/** Facts, and the findings that were made on the way to them. */
export interface Read<T> {
  readonly value: T;
  readonly findings: readonly Finding[];
}
