import type { ContractLedger } from "../../contracts/documents/contract-ledger.ts";
import type { Clock } from "../core/clock.ts";
import type { Session } from "./session.ts";
import type { SubjectProcess } from "./subject.ts";

/** What a step is played with. */
export interface Player {
  readonly session: Session;
  readonly ledger: ContractLedger;
  readonly process: SubjectProcess | null;
  readonly gatewayId: string;
  readonly clock: Clock;
}
