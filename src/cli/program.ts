import { Command, type Option } from "commander";
import { TOOL_VERSION } from "../../contracts/version.ts";
import { blenderCommand } from "./commands/blender.ts";
import { checkerCommand } from "./commands/checker.ts";
import { completionCommand } from "./commands/completion.ts";
import { conformanceCommand } from "./commands/conformance.ts";
import { demoCommand } from "./commands/demo.ts";
import { dispatchCommand } from "./commands/dispatch.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { gatewayCommand } from "./commands/gateway.ts";
import { joinCommand } from "./commands/join.ts";
import { renderChildCommand } from "./commands/render-child.ts";
import { reopenCommand } from "./commands/reopen.ts";
import { statusCommand } from "./commands/status.ts";
import { submitCommand } from "./commands/submit.ts";
import { workerCommand } from "./commands/worker.ts";
import type { CliContext } from "./context.ts";
import type { ProgramName } from "./program-name.ts";
import { refuseMissing, takeMandatory } from "./refuse-missing.ts";
import { refuseRepeats } from "./refuse-repeats.ts";

/** The command tree of one of the three programs; nothing runs yet. */
export function buildProgram(name: ProgramName, context: CliContext): Command {
  const program = { join: joinCommand, "render-child": renderChildCommand, "render-handoff": handoffCommand }[
    name
  ](context);
  program.version(TOOL_VERSION, "-V, --version", "print the version");
  const needed = new Map<Command, readonly Option[]>();
  for (const command of walk(program)) {
    command
      .exitOverride()
      .configureOutput({ writeOut: context.out, writeErr: () => {} })
      .allowExcessArguments(false);
    refuseRepeats(command);
    needed.set(command, takeMandatory(command));
  }
  return program.hook("preAction", async (_root, action) => {
    await (await import("./config.ts")).applyConfig(action, context);
    refuseMissing(action, needed.get(action) ?? []);
  });
}

const handoffCommand = (context: CliContext): Command =>
  new Command("render-handoff")
    .description(
      "Two workers render the halves of a frame range; an independent checker decides whether they can be believed.",
    )
    .addCommand(demoCommand(context))
    .addCommand(gatewayCommand(context))
    .addCommand(workerCommand(context))
    .addCommand(checkerCommand(context))
    .addCommand(submitCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(reopenCommand(context))
    .addCommand(conformanceCommand(context))
    .addCommand(dispatchCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(blenderCommand(context))
    .addCommand(completionCommand(context))
    .addCommand(renderChildCommand(context))
    .addCommand(joinCommand(context));

function* walk(command: Command): Generator<Command> {
  yield command;
  for (const sub of command.commands) yield* walk(sub);
}
