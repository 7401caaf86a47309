import { CATALOGUE } from "../../contracts/catalogue.ts";
import type { ChildResult } from "../../contracts/documents/child-result.ts";
import type { HandoffError } from "../core/error.ts";

/**
 * Every way in which a run can end other than with a receipt: what happened, which deadline stands behind
 * it, who ends Blender, whether the slot is given back, and the outcome. Releases are made only after a
 * claim, and never while finished work waits in the outbox: its fence must stay good.
 */
export interface EndingRule {
  readonly event: string;
  readonly codes: readonly HandoffError["code"][];
  readonly deadline: string | null;
  readonly kills: "runner" | "runner and heartbeat thread" | null;
  readonly releases: boolean;
  readonly outcome: ChildResult["outcome"];
}

export const ENDINGS: readonly EndingRule[] = [
  {
    event: "the gateway asked to come back later",
    codes: ["GATEWAY_UNAVAILABLE"],
    deadline: "--max-wait",
    kills: null,
    releases: true,
    outcome: "deferred",
  },
  {
    event: "the slot is leased to another run",
    codes: ["already_leased"],
    deadline: null,
    kills: null,
    releases: false,
    outcome: "deferred",
  },
  {
    event: "the host is held until an operator clears it",
    codes: ["GATEWAY_HELD"],
    deadline: "30 days",
    kills: null,
    releases: false,
    outcome: "held",
  },
  {
    event: "the slot was done by another worker",
    codes: ["not_ready"],
    deadline: null,
    kills: null,
    releases: false,
    outcome: "no_due_job",
  },
  {
    event: "the lease ended or went to another worker",
    codes: ["LEASE_LOST", "stale_or_invalid_lease"],
    deadline: "own expiry of the lease",
    kills: "runner and heartbeat thread",
    releases: false,
    outcome: "failed",
  },
  {
    event: "Blender lived longer than watchdog_seconds",
    codes: ["RENDER_WATCHDOG"],
    deadline: "limits.watchdog_seconds",
    kills: "runner",
    releases: true,
    outcome: "failed",
  },
  {
    event: "the run took longer than run_seconds",
    codes: ["RENDER_RUN_DEADLINE"],
    deadline: "limits.run_seconds",
    kills: "runner and heartbeat thread",
    releases: true,
    outcome: "failed",
  },
  {
    event: "a signal stopped the run",
    codes: ["INTERRUPTED"],
    deadline: null,
    kills: "runner",
    releases: true,
    outcome: "failed",
  },
];

/** Everything else is a failure of this run, and the slot is given back with its code. */
export const FAILURE: Omit<EndingRule, "codes"> = {
  event: "anything else",
  deadline: null,
  kills: null,
  releases: true,
  outcome: "failed",
};

export const endingFor = (error: HandoffError): Omit<EndingRule, "codes"> =>
  ENDINGS.find((rule) => rule.codes.includes(error.code)) ?? FAILURE;

/** Exit code of a result: 0 for an outcome that is no failure, else that of the reason. */
export function exitCodeOf(result: ChildResult): number {
  if (result.outcome !== "failed") return 0;
  const entry = Object.entries(CATALOGUE).find(([code]) => code === result.reason);
  return entry?.[1].exit ?? 4;
}
