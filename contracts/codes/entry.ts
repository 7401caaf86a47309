import type { Step } from "../flow.ts";

/** Exit codes of every command: docs/ERRORS.md. 0 accepted or an outcome, 1 rejected. */
export const EXIT = { ok: 0, rejected: 1, usage: 2, retry: 3, permanent: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface Described {
  /** One sentence: what is wrong. */
  readonly summary: string;
  /** One sentence: what a person can do about it. */
  readonly action: string;
}

/** A fault of the machine or of the call: thrown as HandoffError, ends a command with `exit`. */
export interface ErrorEntry extends Described {
  readonly kind: "error";
  readonly step: Step | null;
  readonly exit: 2 | 3 | 4;
  /** Whether the same call can succeed later without anyone changing anything. */
  readonly retry: boolean;
}

/** A code of the gateway's problem documents (RFC 9457). */
export interface WireEntry extends Described {
  readonly kind: "wire";
  readonly http: number;
  readonly exit: 2 | 3 | 4;
  readonly retry: boolean;
}

/** Who must act on a finding; only "slot" can be reopened. */
export type Blame = "slot" | "both" | "job" | "gateway" | "none";

/** A fault of the evidence: a value in a report, never thrown across a boundary. */
export interface FindingEntry extends Described {
  readonly kind: "finding";
  /** reject ends the verdict as rejected, undecided as undecided, warning changes nothing. */
  readonly severity: "reject" | "undecided" | "warning";
  readonly blame: Blame;
  /** Exit code that this finding alone leads to. */
  readonly exit: 0 | 1 | 3 | 4;
}

export type CodeEntry = ErrorEntry | WireEntry | FindingEntry;

export const usage = (summary: string, action: string): ErrorEntry => ({
  kind: "error",
  step: null,
  exit: 2,
  retry: false,
  summary,
  action,
});
export const transient = (step: Step | null, summary: string, action: string): ErrorEntry => ({
  kind: "error",
  step,
  exit: 3,
  retry: true,
  summary,
  action,
});
export const permanent = (step: Step | null, summary: string, action: string): ErrorEntry => ({
  kind: "error",
  step,
  exit: 4,
  retry: false,
  summary,
  action,
});
export const reject = (blame: Blame, summary: string, action: string): FindingEntry => ({
  kind: "finding",
  severity: "reject",
  blame,
  exit: 1,
  summary,
  action,
});
export const warning = (blame: Blame, summary: string, action: string): FindingEntry => ({
  kind: "finding",
  severity: "warning",
  blame,
  exit: 0,
  summary,
  action,
});
export const undecided = (exit: 3 | 4, summary: string, action: string): FindingEntry => ({
  kind: "finding",
  severity: "undecided",
  blame: "none",
  exit,
  summary,
  action,
});
