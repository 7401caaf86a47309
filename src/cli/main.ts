import { CommanderError } from "commander";
import { asHandoffError, HandoffError } from "../core/error.ts";
import { harmless } from "../core/escape.ts";
import { checkNode } from "./check-node.ts";
import { openContext } from "./context.ts";
import { errorLines } from "./error-lines.ts";
import { buildProgram } from "./program.ts";
import type { ProgramName } from "./program-name.ts";
import { type SignalWatch, watchSignals } from "./signals.ts";

/** Runs one of the three commands with the process's own arguments and sets its exit code. */
export async function main(name: ProgramName): Promise<void> {
  const signals = watchSignals();
  const context = openContext(signals);
  const args = process.argv.slice(2);
  try {
    checkNode(process.versions.node);
    await buildProgram(name, context).parseAsync(args, { from: "user" });
    const interrupted = signals.exitCode();
    if (interrupted !== null) process.exitCode = interrupted;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return; // help or version was shown
    const error = errorOf(thrown, signals);
    process.exitCode = signals.exitCode() || error.exit;
    if (!signals.readerGone()) report(error, args.includes("--json"));
  }
}

/** What a signal broke off ends in many ways, and none of them is a fault of this program. */
function errorOf(thrown: unknown, signals: SignalWatch): HandoffError {
  if (thrown instanceof CommanderError) return usageError(thrown);
  if (thrown instanceof HandoffError || signals.exitCode() === null) return asHandoffError(thrown);
  return new HandoffError("INTERRUPTED", undefined, { cause: thrown });
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
