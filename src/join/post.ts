import type { JoinReport } from "../../contracts/documents/join-report.ts";
import type { Verdict } from "../../contracts/documents/verdict.ts";
import type { Slot } from "../../contracts/flow.ts";
import { sha256 } from "../core/digest.ts";
import { HandoffError } from "../core/error.ts";
import { reportText } from "./report/report-text.ts";
import type { EvidenceVerdict } from "./verdict.ts";

const MOST_CODES = 200;

/**
 * What is posted of a verdict: the digest of join-report.json, and the versions that were looked at. Null for
 * an undecided one, which decides nothing. Throws JOIN_POST_IMPOSSIBLE where the evidence does not say what it
 * is about.
 */
export function postOf(report: JoinReport, pins: EvidenceVerdict["pins"]): Verdict | null {
  const { verdict, job_id, job_sha256, gateway_id } = report;
  if (verdict === "undecided") return null;
  if (job_id === null || job_sha256 === null) throw impossible("a readable job");
  if (gateway_id === null) throw impossible("its gateway");
  const { a, b } = pins;
  if (a === null || b === null) throw impossible(`a version of slot ${a === null ? "a" : "b"}'s object`);
  return {
    schema: "render_handoff.verdict.v1",
    gateway_id,
    job_id,
    job_sha256,
    verdict,
    report_sha256: sha256(reportText(report)),
    finding_codes: codesOf(report.findings).slice(0, MOST_CODES),
    built_on: { a, b },
    tool_version: report.tool_version,
  };
}

const impossible = (what: string): HandoffError =>
  new HandoffError("JOIN_POST_IMPOSSIBLE", `The evidence does not name ${what}.`);

const codesOf = (findings: JoinReport["findings"]): string[] =>
  [...new Set(findings.map((one) => one.code))].sort();

export type Guilt =
  | { readonly slots: readonly { readonly slot: Slot; readonly reason: string }[] }
  /** Why no slot is to be rendered again. */
  | { readonly none: string };

/**
 * Slots that a rejection blames, each with its codes as the reason. None where the job or the gateway is to
 * blame as well: rendering again mends neither. A finding that blames both slots blames no one of them.
 */
export function guiltOf({ verdict, findings }: Pick<JoinReport, "verdict" | "findings">): Guilt {
  const faults = findings.filter((one) => one.severity === "reject");
  if (verdict !== "rejected") return { none: "the verdict is no rejection" };
  const other = faults.find((one) => one.blame === "job" || one.blame === "gateway");
  if (other !== undefined) return { none: `${other.code} blames the ${other.blame}` };
  const slots = (["a", "b"] as const).flatMap((slot) => {
    const own = faults.filter((one) => one.blame === "slot" && one.slot === slot);
    return own.length === 0 ? [] : [{ slot, reason: reasonOf(codesOf(own)) }];
  });
  return slots.length > 0 ? { slots } : { none: `${codesOf(faults).join(", ")} blames no single slot` };
}

const REASON_CHARACTERS = 500;

/** As many whole codes as a reason may have characters. */
function reasonOf(codes: readonly string[]): string {
  let reason = "";
  for (const [index, code] of codes.entries()) {
    const longer = reason === "" ? code : `${reason}, ${code}`;
    const rest = `, ${codes.length - index} more`;
    if (longer.length + (index + 1 < codes.length ? rest.length : 0) > REASON_CHARACTERS)
      return `${reason}${rest}`;
    reason = longer;
  }
  return reason;
}
