import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { runChild } from "../../src/render-child/run.ts";

/** One run as its own process: options as JSON in the first argument, a line on stdout for each phase. */
const phases = new Set<string>();
const result = await runChild({
  ...JSON.parse(process.argv[2] ?? "{}"),
  clock: systemClock,
  logger: silentLogger,
  signal: new AbortController().signal,
  onProgress: ({ phase }) => {
    if (!phases.has(phase)) process.stdout.write(`${phase}\n`);
    phases.add(phase);
  },
});
process.stdout.write(`${JSON.stringify(result)}\n`);
