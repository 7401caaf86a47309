import { spawnSync } from "node:child_process";

/** Runs a command and tells its time, processor time and peak memory: what Node does not tell of a child. */
const MEASURE = `
import json, resource, subprocess, sys, time
start = time.monotonic()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, (time.monotonic() - start) * 1e3, (used.ru_utime + used.ru_stime) * 1e3, used.ru_maxrss / 1024]))
`;

export type Command = readonly string[];
export interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}
export type Costs = Readonly<Record<string, Cost>>;

export interface Comparison {
  /** Runs of each that count. */
  readonly runs: number;
  readonly env: NodeJS.ProcessEnv;
}

function measure(command: Command, env: NodeJS.ProcessEnv): Cost {
  const run = spawnSync("/usr/bin/python3", ["-c", MEASURE, ...command], { env, encoding: "utf8" });
  const [exit, ms, cpuMs, megabytes] = JSON.parse(run.stdout);
  if (exit !== 0 && !command.includes("inspect"))
    throw new Error(`exit ${exit}: ${command.join(" ")}\n${run.stderr}`);
  return { ms, cpuMs, megabytes };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Medians of each; the runs take turns, so that a busy moment hits all. The first of each does not count. */
export function compare(commands: Readonly<Record<string, Command>>, { runs, env }: Comparison): Costs {
  const costs = new Map<string, Cost[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= runs; round += 1)
    for (const [name, command] of Object.entries(commands)) {
      const cost = measure(command, env);
      if (round > 0) costs.get(name)?.push(cost);
    }
  const of = (all: readonly Cost[], key: keyof Cost): number => median(all.map((one) => one[key]));
  return Object.fromEntries(
    [...costs].map(([name, all]) => [
      name,
      { ms: of(all, "ms"), cpuMs: of(all, "cpuMs"), megabytes: of(all, "megabytes") },
    ]),
  );
}

export function print(title: string, costs: Costs, base: string): void {
  console.log(
    `\n${title}\n\n| | wall ms | ratio | processor ms | ratio | peak MB |\n| --- | ---: | ---: | ---: | ---: | ---: |`,
  );
  const whole = costs[base] ?? { ms: 1, cpuMs: 1 };
  for (const [name, { ms, cpuMs, megabytes }] of Object.entries(costs))
    console.log(
      `| ${[name, ms.toFixed(0), (ms / whole.ms).toFixed(2), cpuMs.toFixed(0), (cpuMs / whole.cpuMs).toFixed(2), megabytes.toFixed(0)].join(" | ")} |`,
    );
}
