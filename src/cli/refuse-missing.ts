import type { Command, Option } from "commander";
import { HandoffError } from "../core/error.ts";

/** The flags that a command cannot do without; its parser no longer asks for them, for it knows no configuration. */
export function takeMandatory(command: Command): Option[] {
  const mandatory = command.options.filter((option) => option.mandatory);
  for (const option of mandatory) option.makeOptionMandatory(false);
  return mandatory;
}

/** To be called when flags, environment and configuration are known: USAGE_ARGUMENT. */
export function refuseMissing(command: Command, needed: readonly Option[]): void {
  for (const option of needed)
    if (command.getOptionValue(option.attributeName()) === undefined)
      throw new HandoffError("USAGE_ARGUMENT", `required option '${option.flags}' not specified.`);
}
