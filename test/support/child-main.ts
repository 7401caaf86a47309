import { watchSignals } from "../../src/cli/signals.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { exitCodeOf, runChild } from "../../src/render-child/run.ts";

/**
 * One run as its own process, which takes signals as the command does: options as JSON in the first argument, in
 * the second a point at which it says so and waits to be ended, or, with `stop` in the third, stops itself with
 * SIGSTOP. A line on stdout for each phase, last the result.
 */
const [given = "{}", hold = "", how = "wait"] = process.argv.slice(2);
const { signal, exitCode } = watchSignals();
const phases = new Set<string>();
const result = await runChild({
  ...JSON.parse(given),
  clock: systemClock,
  logger: silentLogger,
  signal,
  onProgress: ({ phase }) => {
    if (!phases.has(phase)) process.stdout.write(`${phase}\n`);
    phases.add(phase);
  },
  faultPoint: async (point) => {
    if (point !== hold) return;
    process.stdout.write(`at ${point}\n`);
    if (how === "stop") process.kill(process.pid, "SIGSTOP");
    else while (!signal.aborted) await systemClock.sleep(1_000, signal).catch(() => {});
  },
});
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exitCode = exitCode() ?? exitCodeOf(result);
