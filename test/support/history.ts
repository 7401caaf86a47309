/** One call of one client, as the client saw it. Times are milliseconds of the machine's monotonic clock. */
export interface HistoryEvent {
  readonly op: "claim" | "heartbeat" | "release" | "submit" | "reopen";
  readonly task: string;
  /** A worker's id, or `administrator`. */
  readonly worker: string;
  /** The fence that was sent; null for claims and reopenings. */
  readonly fence: number | null;
  /** Idempotency-Key of claims and submits. */
  readonly key: string | null;
  readonly bodySha256: string | null;
  readonly sent: number;
  readonly ended: number;
  /** Wall clock in whole seconds when it was sent: client and gateway share the machine's clock. */
  readonly sentSecond: number;
  /** `ok`, a code, or `unknown`: the answer was lost, whether the gateway acted is not known. */
  readonly outcome: string;
  readonly replayed: boolean;
  /** Of claims. */
  readonly fenceGiven: number | null;
  readonly version: number | null;
  /** Of claims and heartbeats: seconds since 1970. */
  readonly expires: number | null;
  /** The receipt's exact text, of submits. */
  readonly receipt: string | null;
}

/** What the gateway holds when all is over. */
export interface FinalTask {
  readonly task: string;
  readonly state: string;
  readonly version: number;
  readonly fence: number;
  readonly leaseSeconds: number;
  readonly slotSeconds: number | null;
  /** The stored receipts' texts by version, null where a version has none. */
  readonly receipts: readonly (string | null)[];
}
export interface History {
  readonly events: readonly HistoryEvent[];
  readonly final: readonly FinalTask[];
}

export type Invariant =
  | "one-result-per-version"
  | "fence-grows"
  | "spent-key"
  | "slot-seconds"
  | "stale-fence"
  | "expired-lease"
  | "acknowledged-survives"
  | "replay-bytes"
  | "versions-reopened";

export interface Violation {
  readonly invariant: Invariant;
  readonly task: string;
  readonly what: string;
}
