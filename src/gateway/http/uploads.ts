import { HandoffError } from "../../core/error.ts";
import type { HeldLease } from "../queue/rows.ts";

/** Times that the same bytes may be on their way under one lease: a client that gave one up sends it again. */
const AT_ONCE = 2;
/** Seconds after which a client comes back. */
const RETRY_SECONDS = 5;

/** Uploads that are on their way through this process. Their bytes take room before they count anywhere. */
export class Uploads {
  private readonly running = new Set<{ readonly sha256: string; readonly lease: HeldLease | null }>();

  /** Ends with the function that is given back; unavailable where the same upload runs often enough. */
  begin(sha256: string, lease: HeldLease | null): () => void {
    const same = [...this.running].filter((one) => one.sha256 === sha256 && isSame(one.lease, lease));
    if (lease !== null && same.length >= AT_ONCE)
      throw new HandoffError("unavailable", "The same bytes are on their way.", {
        retryAfterSeconds: RETRY_SECONDS,
      });
    const upload = { sha256, lease };
    this.running.add(upload);
    return () => this.running.delete(upload);
  }

  /** Whether nobody brings these bytes any more. */
  over(sha256: string): boolean {
    return ![...this.running].some((one) => one.sha256 === sha256);
  }
}

const isSame = (one: HeldLease | null, other: HeldLease | null): boolean =>
  one?.taskId === other?.taskId && one?.fence === other?.fence;
