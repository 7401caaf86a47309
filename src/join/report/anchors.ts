import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import { harmless } from "../../core/escape.ts";

type Anchor = keyof JoinReport["anchored"];

export interface Anchors {
  /** Expectations of the checker that the evidence meets. */
  readonly held: readonly Anchor[];
  /** Expectations that it does not meet; `actual` is null where it does not say. */
  readonly failed: readonly {
    readonly what: Anchor;
    readonly expected: string;
    readonly actual: string | null;
  }[];
}

/** What became of the expectations that a verdict held the evidence against. */
export function anchorsOf({ anchored, policy, job_sha256, gateway_id }: JoinReport): Anchors {
  const all = [
    { what: "job", expected: policy.expect_job, actual: job_sha256 },
    { what: "gateway", expected: policy.expect_gateway, actual: gateway_id },
  ] as const;
  return {
    held: all.flatMap(({ what }) => (anchored[what] ? [what] : [])),
    failed: all.flatMap(({ what, expected, actual }) =>
      expected === null || expected === actual ? [] : [{ what, expected, actual }],
    ),
  };
}

export function heldWords(held: Anchors["held"]): string | null {
  if (held.length === 0) return null;
  return held.length > 1 ? "job and gateway are the expected ones" : `the ${held[0]} is the expected one`;
}

export const failedWords = ({ what, expected, actual }: Anchors["failed"][number]): string =>
  `expected ${what} ${harmless(expected, 200)}, was ${actual === null ? "none that could be read" : harmless(actual, 200)}`;
