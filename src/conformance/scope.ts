import type { LedgerStep } from "../../contracts/documents/contract-ledger.ts";
import { openTold, type Told } from "./told.ts";

/** Names of one case as ids of this run, and what the case has saved. */
export interface Scope {
  /** Unique to the run and the case. */
  readonly prefix: string;
  readonly saved: Map<string, Buffer>;
  /** Digest of a job's bytes by the job's name. */
  readonly jobs: Map<string, string>;
  /** What the gateway has taken and told in this case. */
  readonly told: Told;
}

export const openScope = (prefix: string): Scope => ({
  prefix,
  saved: new Map(),
  jobs: new Map(),
  told: openTold(),
});

/** `t` and `j.a` as task ids; `j` as a job id. */
export const idOf = (scope: Scope, name: string): string => `${scope.prefix}-${name}`;

/** A step that one request makes. */
export type RequestStep = Exclude<
  LedgerStep,
  {
    do:
      | "race"
      | "wait"
      | "wait_expiry"
      | "kill_gateway"
      | "put_job"
      | "upload_cut"
      | "read_events"
      | "drain_outbox"
      | "revoke_others";
  }
>;
