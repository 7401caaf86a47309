import type { ContractLedger, LedgerStep } from "../../contracts/documents/contract-ledger.ts";
import { SLOTS, type Slot } from "../../contracts/flow.ts";
import { HandoffError } from "../core/error.ts";
import { codeOfAnswer, memberOf } from "./answer.ts";
import type { PlainAnswer } from "./exchange-once.ts";
import { requestOf } from "./request-of.ts";
import { idOf, type RequestStep, type Scope } from "./scope.ts";
import type { Session } from "./session.ts";

/** A case that has begun: what its steps enqueue may be there. */
export interface OpenedCase {
  readonly scope: Scope;
  readonly ledger: ContractLedger;
  readonly steps: readonly LedgerStep[];
}

interface Opened {
  readonly task: string;
  /** Null for a task of no job. */
  readonly slot: { readonly job: string; readonly slot: Slot } | null;
}

/** One for each slot of a job, since most jobs ask for two. */
const CLOSER = { a: "closera", b: "closerb" } as const;
const BUNDLE = "closed";
const expect = { code: "ok" };

/**
 * Hands in every task that a run has left ready or leased, so that nobody's workers find it: all workers of the
 * run are revoked, which ends their leases, and two new ones take what is open. The ids of what stays open.
 */
export async function closeTasks(
  cases: readonly OpenedCase[],
  session: Session,
  gatewayId: string,
): Promise<string[]> {
  await session.revokeOthers([]);
  const open: string[] = [];
  let reachable = true;
  for (const { scope, ledger, steps } of cases) {
    const ask = async (step: RequestStep): Promise<PlainAnswer> =>
      session.send(await requestOf(step, scope, { session, ledger, gatewayId }));
    const opened = new Map(steps.flatMap(openedBy).map((one) => [one.task, one]));
    for (const one of opened.values()) {
      const closed: boolean | null = reachable && (await closeTask(one, ask).catch(unlessUnreachable));
      reachable &&= closed !== null;
      if (closed !== true) open.push(idOf(scope, one.task));
    }
  }
  return open;
}

/** Null for a gateway that cannot be spoken to: nothing more is tried then. */
function unlessUnreachable(thrown: unknown): null {
  if (thrown instanceof HandoffError) return null;
  throw thrown;
}

function openedBy(step: LedgerStep): Opened[] {
  if (step.do === "enqueue") return [{ task: step.task, slot: null }];
  if (step.do !== "put_job") return [];
  return SLOTS.map((slot) => ({ task: `${step.job}.${slot}`, slot: { job: step.job, slot } }));
}

/** Whether the task is done, or was never there. */
async function closeTask(
  { task, slot }: Opened,
  ask: (step: RequestStep) => Promise<PlainAnswer>,
): Promise<boolean> {
  const record = await ask({ do: "read_task", task, expect });
  if (codeOfAnswer(record) === "task_unknown" || memberOf(record, "state") === "done") return true;
  const worker = CLOSER[slot?.slot ?? "a"];
  const claim = { do: "claim", task, worker, expect } as const;
  let claimed = await ask(claim);
  if (codeOfAnswer(claimed) === "attempts_exhausted") {
    await ask({ do: "reopen", task, expect });
    claimed = await ask(claim);
  }
  const fence = Number(memberOf(claimed, "fencing_token"));
  if (codeOfAnswer(claimed) !== "ok" || !Number.isSafeInteger(fence)) return false;
  const held = { worker, fence, key: "closed", expect };
  if (slot === null)
    return codeOfAnswer(await ask({ do: "submit", task, ...held, result: "closed" })) === "ok";
  await ask({ do: "upload", task, worker, fence, text: BUNDLE, expect });
  return codeOfAnswer(await ask({ do: "submit_slot", ...slot, ...held, bundle: BUNDLE })) === "ok";
}
