import type { Finding } from "../../contracts/documents/join-report.ts";

const MOST = 100;

/**
 * The findings, of one code at one slot and frame at most so many as the readers of files give; one more says how
 * many were left out. Who makes evidence decides how often one thing is wrong with it.
 */
export function boundFindings(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  const bound: Finding[] = [];
  const last = new Map<string, Finding>();
  for (const one of findings) {
    const kind = `${one.code} ${one.slot} ${one.frame}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count <= MOST) bound.push(one);
    else last.set(kind, one);
  }
  for (const [kind, one] of last) {
    const [file = ""] = one.path.split("#");
    const actual = `${(counts.get(kind) ?? 0) - MOST} more`;
    bound.push({ ...one, path: file, expected: null, actual });
  }
  return bound;
}
