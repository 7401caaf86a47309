import type { Job } from "../../contracts/documents/job.ts";
import type { JoinReport } from "../../contracts/documents/join-report.ts";
import type { Policy } from "../../contracts/documents/policy.ts";
import type { ObjectPin } from "../../contracts/documents/verdict.ts";
import type { Slot } from "../../contracts/flow.ts";
import type { Clock } from "../core/clock.ts";
import type { DecodeSettings } from "./decode/open-decoders.ts";
import type { DecodePlan } from "./decode/plan.ts";
import type { BundleOutcome, Decoders } from "./decode/run-plan.ts";

export interface VerifyOptions {
  /** An evidence folder as collect leaves it. */
  readonly folder: string;
  /** In place of the job's own policy. */
  readonly policy?: Policy | null;
  /** Anchors: what the checker knew before. */
  readonly expectJob?: string | null;
  readonly expectGateway?: string | null;
  readonly strictContent?: boolean;
  readonly clock: Clock;
  /** pngjs decodes each frame as well, and must see the same pixels: PNG_DECODERS_DISAGREE. */
  readonly secondDecoder?: boolean;
  /** Threads of this call alone … */
  readonly decode?: DecodeSettings;
  /** … or the caller's, who closes them: for many folders one after another. */
  readonly decoders?: Decoders;
  /** What beginDecoding asked them before; without it they are asked first of all. */
  readonly begun?: Guess | null;
}

/** What a checker gave beside the folder and a policy. */
export type Given = Pick<VerifyOptions, "expectJob" | "expectGateway" | "strictContent" | "secondDecoder">;

/** Frames that passed, where they lie, and the job that says what they must be. */
export interface VerifiedFrames {
  readonly job: Job;
  readonly bundles: Readonly<Record<Slot, string>>;
  readonly frames: JoinReport["frames"];
}

export interface EvidenceVerdict {
  readonly report: JoinReport;
  /** What this verdict was asked for with, so that the same can be asked again. */
  readonly given: Given;
  /** Version and digest of the slot objects that were looked at; null where the evidence names none. */
  readonly pins: Readonly<Record<Slot, ObjectPin | null>>;
  /** What assemble may write; null unless the verdict is `accepted`. */
  readonly accepted: VerifiedFrames | null;
  /** What can be drawn whatever the verdict; null where no frame passed. */
  readonly verified: VerifiedFrames | null;
}

/** What the decoders were asked before the job was checked. */
export interface Guess {
  readonly plan: DecodePlan;
  readonly outcomes: Readonly<Record<Slot, Promise<BundleOutcome>>>;
}
