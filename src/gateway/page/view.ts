import type { Slot } from "../../../contracts/flow.ts";
import type { ChangeEvent } from "../../../contracts/wire/events.ts";
import type { Progress } from "../../../contracts/wire/queue.ts";

/** What the page shows, as values; everything of people's or workers' making is escaped when it is drawn. */
export interface PageView {
  readonly gatewayId: string;
  /** The gateway's clock, in seconds. */
  readonly now: number;
  readonly wanted: PageWanted;
  readonly handoffs: readonly HandoffView[];
  /** Of the page after this one; null on the last. */
  readonly older: number | null;
  readonly events: readonly EventView[];
}

export interface PageWanted {
  readonly text: string | null;
  readonly show: "all" | "open" | "done";
  readonly before: number | null;
  /** One handoff alone, with everything that is known of it. */
  readonly jobId: string | null;
  readonly named: boolean;
}

export interface HandoffView {
  readonly jobId: string;
  readonly jobSha256: string;
  readonly scene: string;
  readonly engine: string;
  readonly blender: string;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly first: number;
  readonly last: number;
  readonly slots: readonly SlotView[];
  readonly verdict: VerdictView | null;
}

export interface SlotView {
  readonly slot: Slot;
  readonly taskId: string;
  readonly first: number;
  readonly last: number;
  readonly state: "ready" | "leased" | "done";
  readonly version: number;
  readonly fence: number;
  readonly claims: number;
  readonly maxClaims: number | null;
  readonly worker: Person | null;
  readonly expiresAt: number | null;
  readonly progress: Progress | null;
  readonly preview: { readonly frame: number; readonly at: number; readonly fence: number } | null;
  /** Newest first. */
  readonly submissions: readonly SubmissionView[];
}

export interface Person {
  readonly id: string;
  readonly name: string | null;
}

export interface SubmissionView {
  readonly version: number;
  readonly sha256: string;
  readonly at: number;
  readonly by: Person;
  /** What the worker says that it made; read for one handoff alone. Null too where it cannot be read. */
  readonly contents: ContentsView | null;
}

export interface ContentsView {
  readonly bundleSha256: string;
  readonly bundleBytes: number;
  readonly manifestSha256: string;
  readonly frames: readonly { readonly frame: number; readonly bytes: number; readonly sha256: string }[];
  /** Frames that are not listed here. */
  readonly more: number;
}

export interface VerdictView {
  readonly verdict: "accepted" | "rejected";
  readonly version: number;
  readonly codes: readonly string[];
  readonly reportSha256: string;
  readonly checker: string;
  readonly at: number;
  readonly superseded: boolean;
}

export interface EventView {
  readonly event: ChangeEvent;
  readonly worker: Person | null;
}
