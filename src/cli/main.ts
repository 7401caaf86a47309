import { CommanderError } from "commander";
import { asHandoffError, HandoffError } from "../core/error.ts";
import { harmless } from "../core/escape.ts";
import { checkNode } from "./check-node.ts";
import { openContext } from "./context.ts";
import { errorLines } from "./error-lines.ts";
import { buildProgram } from "./program.ts";
import type { ProgramName } from "./program-name.ts";
import { watchSignals } from "./signals.ts";

/** Runs one of the three commands with the process's own arguments and sets its exit code. */
export async function main(name: ProgramName): Promise<void> {
  const signals = watchSignals();
  const context = openContext(signals.signal);
  const args = process.argv.slice(2);
  try {
    checkNode(process.versions.node);
    await buildProgram(name, context).parseAsync(args, { from: "user" });
    const interrupted = signals.exitCode();
    if (interrupted !== null && process.exitCode === undefined) process.exitCode = interrupted;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return; // help or version was shown
    const error = thrown instanceof CommanderError ? usageError(thrown) : asHandoffError(thrown);
    process.exitCode = signals.exitCode() ?? error.exit;
    report(error, args.includes("--json"));
  }
}

const usageError = (thrown: CommanderError): HandoffError => {
  const unknown = thrown.code === "commander.unknownOption" || thrown.code === "commander.unknownCommand";
  return new HandoffError(
    unknown ? "USAGE_UNKNOWN_FLAG" : "USAGE_ARGUMENT",
    `${thrown.message.replace(/^error: /, "").replace(/\.?$/, ".")}`,
  );
};

function report(error: HandoffError, json: boolean): void {
  const message = harmless(error.message, 2_000);
  process.stderr.write(errorLines(error));
  if (json)
    process.stdout.write(
      `${JSON.stringify({ schema: "render_handoff.error.v1", code: error.code, message, details: error.details, exit: error.exit })}\n`,
    );
}
