import { CONTAINMENTS } from "../../../contracts/documents/policy.ts";
import { FAULT_POINTS } from "../../../src/render-child/fault-points.ts";
import { SIGNALS } from "./cases.ts";
import type { Played } from "./play-case.ts";

/**
 * Point and containment by signal. A cell names who ran again and how often Blender was started: `same 2` is
 * good with the one render that was lost, `-` was not played, anything in capitals is a fault.
 */
export function matrixTable(all: readonly Played[]): string {
  const rows = FAULT_POINTS.flatMap((point) =>
    CONTAINMENTS.map((containment) => [
      point,
      containment,
      ...SIGNALS.map((signal) => {
        const here = all.filter(
          ({ crash }) =>
            crash.point === point && crash.containment === containment && crash.signal === signal,
        );
        return here.map(cell).join(", ") || "-";
      }),
    ]),
  );
  return [["point", "containment", ...SIGNALS], ["---", "---", ...SIGNALS.map(() => "---")], ...rows]
    .map((row) => `| ${row.map((text, column) => text.padEnd(column === 0 ? 17 : 13)).join(" | ")} |`)
    .join("\n");
}

const cell = ({ crash, renders, problems }: Played): string =>
  problems.length > 0 ? `FAULT (${crash.rerunBy})` : `${crash.rerunBy} ${renders}`;
