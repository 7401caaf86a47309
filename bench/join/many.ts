import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Surface, writeEvidence } from "./evidence.ts";
import { type Command, type Comparison, compare, print } from "./measure.ts";

const COUNTS = [1, 10, 50, 100];
const FRAMES = 6;
const MOST_RUNS = 3;

interface Many extends Comparison {
  readonly root: string;
  readonly verify: Command;
}

/** Many handoffs of six frames verified in one run: whether time and memory stay those of one. */
export function manyHandoffs(surface: Surface, { root, verify, runs, env }: Many): void {
  const many = join(root, `many-${surface}`);
  mkdirSync(many);
  const first = join(many, "0");
  writeEvidence(first, join(root, `many-frames-${surface}`), surface);
  const folders = Array.from({ length: Math.max(...COUNTS) }, (_, at) => join(many, `${at}`));
  for (const folder of folders.slice(1)) cpSync(first, folder, { recursive: true });
  const commands = COUNTS.map((count) => [`${count}`, [...verify, ...folders.slice(0, count)]] as const);
  const costs = compare(Object.fromEntries(commands), { env, runs: Math.min(runs, MOST_RUNS) });
  rmSync(many, { recursive: true });
  print(`Handoffs of six ${surface} frames in one run`, costs, "1");
  const none = { ms: 0, cpuMs: 0, megabytes: 0 };
  const [one, ten, fifty, hundred] = COUNTS.map((count) => costs[count] ?? none);
  if (one === undefined || ten === undefined || fifty === undefined || hundred === undefined) return;
  const perFrame = (count: number): string => ((costs[count]?.ms ?? 0) / count / FRAMES).toFixed(2);
  const ratios = (time: "ms" | "cpuMs"): string => {
    const late = (hundred[time] - ten[time]) / 90 / ((ten[time] - one[time]) / 9);
    const halves = (hundred[time] - fifty[time]) / 50 / ((fifty[time] - one[time]) / 49);
    return `11th to 100th handoff beside 2nd to 10th: ${late.toFixed(2)}, 51st to 100th beside 2nd to 50th: ${halves.toFixed(2)}`;
  };
  console.log(
    [
      `\nMilliseconds a frame, start included, of ${COUNTS.map((count) => count * FRAMES).join(", ")} frames: ${COUNTS.map(perFrame).join(", ")}`,
      `Time of a frame, ${ratios("ms")}`,
      `Processor time of a frame, ${ratios("cpuMs")}`,
      `Peak memory, 600 frames beside 6: ${(hundred.megabytes / one.megabytes).toFixed(2)}`,
    ].join("\n"),
  );
}
