import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { runDue } from "../../src/dispatch/run-due.ts";

/** One dispatch run as its own process, which kills itself when it has the answer to the named route. */
const { killAt, ...options } = JSON.parse(process.argv[2] ?? "{}");
const result = await runDue({
  ...options,
  clock: systemClock,
  logger: silentLogger,
  signal: new AbortController().signal,
  onExchange: ({ route, status }) => {
    if (`${route} ${status}` === killAt) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(`${JSON.stringify(result)}\n`);
