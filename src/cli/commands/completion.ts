import { Argument, Command } from "commander";
import type { CliContext } from "../context.ts";

export const completionCommand = (context: CliContext): Command =>
  new Command("completion")
    .description("Prints the completion script of a shell for all three commands.")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `
Examples:
  $ source <(render-handoff completion bash)
  $ render-handoff completion zsh > ~/.zfunc/_render-handoff
  $ render-handoff completion fish > ~/.config/fish/completions/render-handoff.fish`,
    )
    .action(async (shell: "bash" | "zsh" | "fish", _flags: unknown, command: Command) =>
      (await import("../actions/completion.ts")).completion({ shell, root: command.parent, context }),
    );
