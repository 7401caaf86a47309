import type { Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { shapesOf } from "../completion/shape.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { CliContext } from "../context.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function completion(call: {
  shell: keyof typeof SCRIPTS;
  /** The main program, whose tree has every command. */
  root: Command | null;
  context: CliContext;
}): void {
  if (call.root !== null) call.context.out(SCRIPTS[call.shell](shapesOf(call.root)));
}
