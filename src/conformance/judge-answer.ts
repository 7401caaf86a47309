import type { Expect } from "../../contracts/documents/contract-ledger.ts";
import type { PlainAnswer } from "./exchange-once.ts";
import { codeFault, mismatch } from "./judge.ts";
import { graphMismatch, tasksMismatch } from "./judge-lists.ts";
import { shapeFault } from "./judge-shape.ts";
import { toldFault } from "./judge-told.ts";
import type { PlayedRequest } from "./played-request.ts";
import type { Scope } from "./scope.ts";

export interface Judged {
  readonly request: PlayedRequest;
  readonly answer: PlainAnswer;
  readonly expected: Expect;
}

/** What is wrong with an answer: its code, its shape, what its case expects, what was sent and told before. */
export function judgeAnswer(
  { request, answer, expected }: Judged,
  scope: Scope,
  gatewayId: string,
): string | null {
  return (
    codeFault(answer, expected.code) ??
    shapeFault(request.route, answer, gatewayId) ??
    mismatch(answer, expected, scope.saved) ??
    toldFault(request, answer, scope.told) ??
    graphMismatch(answer, expected, scope.prefix) ??
    tasksMismatch(answer, expected, scope.prefix)
  );
}
