import type { Command } from "commander";
import type { CliContext } from "../../src/cli/context.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";

/** Every command of the product, as the main program parses them. */
export const commandTree = (): Command => buildProgram("render-handoff", commandContext);

/** A world in which nothing happens: what building the tree needs. */
export const commandContext: CliContext = {
  clock: systemClock,
  logger: silentLogger,
  env: {},
  cwd: "/",
  terminal: false,
  colour: false,
  screen: () => null,
  columns: () => Infinity,
  signal: new AbortController().signal,
  input: { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) },
  out: () => {},
  err: () => {},
  setExit: () => {},
  expectStop: () => {},
  onHangup: () => {},
};
