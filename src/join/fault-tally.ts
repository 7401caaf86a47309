import type { FindingCode } from "../../contracts/catalogue.ts";
import { type Fault, fault } from "../core/fault.ts";
import { fairShare, MOST_FINDINGS } from "./fair-share.ts";

interface Placed {
  readonly at: number;
  readonly fault: Fault;
}

interface Kind {
  count: number;
  first: Placed[];
}

/** The faults of one file, in parts that come in any order; what it holds of them does not grow with their number. */
export class FaultTally {
  private readonly kinds = new Map<FindingCode, Kind>();

  /** `at` is the part's place in the file. */
  add(at: number, faults: readonly Fault[]): void {
    for (const one of faults) {
      const kind = this.kinds.get(one.code) ?? { count: 0, first: [] };
      this.kinds.set(one.code, kind);
      kind.count += 1;
      kind.first.push({ at, fault: one });
      if (kind.first.length >= 2 * MOST_FINDINGS) kind.first = inOrder(kind.first).slice(0, MOST_FINDINGS);
    }
  }

  /** In the file's order the first of each code, at most a thousand; one more of a code says how many were left out. */
  faults(): Fault[] {
    const kinds = [...this.kinds];
    const share = fairShare(kinds.map(([, { count }]) => count));
    const first = kinds.flatMap(([, kind]) => inOrder(kind.first).slice(0, share));
    const left = kinds.filter(([, { count }]) => count > share);
    return [
      ...inOrder(first).map((placed) => placed.fault),
      ...left.map(([code, { count }]) => fault(code, "", { actual: `${count - share} more` })),
    ];
  }
}

const inOrder = (placed: readonly Placed[]): Placed[] =>
  [...placed].sort((left, right) => left.at - right.at);
