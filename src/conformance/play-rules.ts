import type { RuleVerdict } from "../../contracts/documents/conformance.ts";
import type { LedgerCase, LedgerStep } from "../../contracts/documents/contract-ledger.ts";
import type { ContractRule } from "../../contracts/documents/contract-module.ts";
import { slotTaskId } from "../../contracts/names.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import type { OpenedCase } from "./close-tasks.ts";
import { playStep } from "./play-step.ts";
import type { Player } from "./player.ts";
import type { LoadedModule } from "./read-module.ts";
import { idOf, openScope, type Scope } from "./scope.ts";
import type { Session } from "./session.ts";
import type { SubjectProcess } from "./subject.ts";

export interface Stage {
  readonly session: Session;
  readonly process: SubjectProcess | null;
  readonly gatewayId: string;
  readonly clock: Clock;
  /** Begins every id of this run. */
  readonly run: string;
  readonly signal: AbortSignal;
  /** What the cases may have left open, told as they begin. */
  readonly opened: OpenedCase[];
}

/** Plays every rule of a module, one case after the other; a failure of one rule does not stop the others. */
export async function playRules(
  loaded: LoadedModule,
  stage: Stage,
  tell: (verdict: RuleVerdict) => void,
): Promise<RuleVerdict[]> {
  const verdicts: RuleVerdict[] = [];
  for (const rule of loaded.module.rules) {
    stage.signal.throwIfAborted();
    const verdict = { ...describe(loaded, rule), ...(await playRule(loaded, rule, stage)) };
    verdicts.push(verdict);
    tell(verdict);
  }
  return verdicts;
}

const describe = ({ module }: LoadedModule, rule: ContractRule) => ({
  module: module.name,
  module_version: module.version,
  rule: rule.id,
  statement: rule.statement,
});

type Outcome = Pick<RuleVerdict, "verdict" | "cases" | "detail">;

async function playRule(loaded: LoadedModule, rule: ContractRule, stage: Stage): Promise<Outcome> {
  const cases = loaded.ledger.cases.filter((one) => one.rule === rule.id);
  // a module's own rule is MANIFEST-01: the module would not be here if a byte of it had changed
  if (rule.subject === "module") return { verdict: "passed", cases: 1, detail: null };
  if (rule.needs.includes("process") && stage.process === null)
    return { verdict: "not_applicable", cases: 0, detail: "It needs the process of the gateway." };
  for (const one of cases) {
    const fault = await playCase(loaded, one, stage);
    if (fault !== null) return { verdict: "failed", cases: cases.length, detail: fault };
  }
  return { verdict: "passed", cases: cases.length, detail: null };
}

async function playCase(loaded: LoadedModule, one: LedgerCase, stage: Stage): Promise<string | null> {
  const scope = openScope(`${stage.run}-${loaded.ledger.cases.indexOf(one)}`);
  const player: Player = { ...stage, ledger: loaded.ledger };
  stage.opened.push({ scope, ledger: loaded.ledger, steps: one.steps });
  for (const [name, operator] of Object.entries(one.operators ?? {}))
    await player.session.worker(name, operator);
  for (const [index, step] of one.steps.entries()) {
    const fault = await playStep(step, scope, player).catch((thrown: unknown) => {
      if (thrown instanceof HandoffError && thrown.code === "GATEWAY_UNAUTHORIZED") throw thrown;
      return thrown instanceof HandoffError ? `${thrown.code}: ${thrown.message}` : Promise.reject(thrown);
    });
    if (fault !== null)
      return `${one.title}: step ${index + 1} (${step.do}${subjectOf(step, scope)}): ${fault}`;
  }
  return null;
}

/** The task or job of a step under the id by which the gateway's own log has it. */
function subjectOf(step: LedgerStep, scope: Scope): string {
  if ("task" in step && step.task !== undefined) return ` ${idOf(scope, step.task)}`;
  if (!("job" in step)) return "";
  return ` ${idOf(scope, "slot" in step ? slotTaskId(step.job, step.slot) : step.job)}`;
}
