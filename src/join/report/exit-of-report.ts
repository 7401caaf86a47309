import { CATALOGUE, isCode } from "../../../contracts/catalogue.ts";
import type { ExitCode } from "../../../contracts/codes/entry.ts";
import { EXIT } from "../../../contracts/codes/entry.ts";
import type { Finding, JoinReport } from "../../../contracts/documents/join-report.ts";

/**
 * Exit code of a verdict: 0 accepted, 1 rejected; undecided is 3 when a retry can help with everything that
 * is in the way, else 4.
 */
export function exitOfReport({ verdict, findings }: Pick<JoinReport, "verdict" | "findings">): ExitCode {
  if (verdict === "accepted") return EXIT.ok;
  if (verdict === "rejected") return EXIT.rejected;
  const blocking = findings.filter((one) => one.severity === "undecided");
  return blocking.every((one) => exitOfFinding(one) === EXIT.retry) ? EXIT.retry : EXIT.permanent;
}

const exitOfFinding = ({ code }: Finding): number => (isCode(code) ? CATALOGUE[code].exit : EXIT.permanent);
