/** A change of one source file of the product: the text must be there exactly once. */
export interface Change {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

const SUBMIT = "src/gateway/queue/submit.ts";
const CLAIM = "src/gateway/queue/claim.ts";
const LEASE = "src/gateway/queue/lease.ts";
const ROWS = "src/gateway/queue/sqlite/task-rows.ts";
const STORE = "src/gateway/queue/sqlite/transaction.ts";

/** Test builds of the gateway, each with one rule broken; the product has no switch for any of them. */
export const MUTATIONS = {
  /** The owner and the expiry are looked at, the fence is not: a worker's older run passes. */
  "fence-not-compared": [
    { file: LEASE, find: " && task.fence === lease.fence", put: "" },
    { file: ROWS, find: "AND fence = ? AND expires_at", put: "AND ? IS NOT NULL AND expires_at" },
  ],
  /** Whoever was given up on may still hand in, as in queues that compare nothing. */
  "zombie-accepted": [
    { file: SUBMIT, find: "if (!holds(lease, task, now)) throw staleLease(lease);", put: "" },
    {
      file: ROWS,
      find: "SET state = 'done', result = ? WHERE \u0024{HELD}",
      put: "SET state = 'done', worker_id = COALESCE(worker_id, ?3), result = ?1 WHERE task_id = ?2 AND ?4 + ?5 > 0",
    },
  ],
  /** A claim gives the last fence again. */
  "fence-stands-still": [
    { file: CLAIM, find: "const fence = task.fence + 1;", put: "const fence = Math.max(1, task.fence);" },
    { file: ROWS, find: "fence = fence + 1, claims", put: "fence = MAX(1, fence), claims" },
    { file: ROWS, find: "AND fence = ? - 1 AND", put: "AND ? > 0 AND" },
  ],
  /** A spent claim key makes a new lease. */
  "spent-key-claims": [
    {
      file: CLAIM,
      find: "if (claimFence !== null) return",
      put: "if (claimFence !== null && holds({ ...request, fence: claimFence }, task, now)) return",
    },
    { file: ROWS, find: "INSERT INTO claims", put: "INSERT OR REPLACE INTO claims" },
  ],
  /** Heartbeats keep a slot for ever. */
  "slot-held-hostage": [
    {
      file: ROWS,
      find: "MIN(? + lease_seconds, claimed_at + COALESCE(slot_seconds, 1000000000))",
      put: "? + lease_seconds",
    },
  ],
  /** Every fourth write is answered and not committed, once the people are registered. */
  "lost-commits": [
    {
      file: STORE,
      find: "this.commit.run();",
      put: 'this.lost = (this.lost ?? 0) + 1; this.db.exec(this.lost > 24 && this.lost % 4 === 0 ? "ROLLBACK" : "COMMIT");',
    },
  ],
  /** A replay is answered with other bytes than the first time. */
  "replay-rewritten": [
    {
      file: SUBMIT,
      find: "return { receipt: old.receipt, replayed: true",
      put: `return { receipt: Buffer.from(old.receipt.toString().replace(/"fencing_token":[0-9]+/, '"fencing_token":77')), replayed: true`,
    },
  ],
  /** The key is looked up, the bytes are not compared. */
  "conflict-overlooked": [
    {
      file: SUBMIT,
      find: 'if (!old.request.equals(raw)) throw new HandoffError("idempotency_conflict");',
      put: "",
    },
  ],
  /** A lease is valid in the second in which it ends, and beyond. */
  "expiry-ignored": [
    {
      file: LEASE,
      find: "task.expiresAt !== null && now < task.expiresAt",
      put: "task.expiresAt !== null && now < task.expiresAt + 30",
    },
    { file: ROWS, find: "AND fence = ? AND expires_at > ?", put: "AND fence = ? AND expires_at + 30 > ?" },
  ],
} as const satisfies Record<string, readonly Change[]>;
export type Mutation = keyof typeof MUTATIONS;
