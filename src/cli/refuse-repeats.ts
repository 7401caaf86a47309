import type { Command } from "commander";
import { HandoffError } from "../core/error.ts";

/** The parser keeps the last of a repeated flag; two values mean that one was meant for something else. */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    let seen = false;
    command.on(`option:${option.name()}`, () => {
      if (seen) throw new HandoffError("USAGE_REPEATED_FLAG", `It is ${option.long ?? option.short}.`);
      seen = true;
    });
  }
}
