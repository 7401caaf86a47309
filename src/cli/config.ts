import { homedir } from "node:os";
import { join } from "node:path";
import type { Command, Option } from "commander";
import { HandoffError } from "../core/error.ts";
import { readCappedSync } from "../core/files/read-capped.ts";
import type { CliContext } from "./context.ts";

/**
 * Flags win over the environment, the environment over the configuration file: a JSON object from flag
 * names without dashes to values, at RENDER_HANDOFF_CONFIG or <config home>/render-handoff/config.json.
 */
export async function applyConfig(command: Command, context: CliContext): Promise<void> {
  const named = context.env["RENDER_HANDOFF_CONFIG"];
  const home = context.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config");
  const path = named ?? join(home, "render-handoff", "config.json");
  const read = readCappedSync(path, 64 * 1024);
  if (!read.ok) {
    if (read.why === "absent" && named === undefined) return;
    throw new HandoffError("USAGE_FILE_UNREADABLE", `It is ${path}: ${read.detail}.`);
  }
  // most have none, and schemas take longer to load than everything before a command begins
  const { readConfig } = await import("./read-config.ts");
  const parsed = readConfig(read.bytes);
  if (!parsed.ok)
    throw new HandoffError("USAGE_FILE_INVALID", `It is ${path}${parsed.path}: ${parsed.problem}.`);
  for (const option of command.options) {
    const value = parsed.value[option.long?.slice(2) ?? ""];
    if (value !== undefined) takeFromConfig({ command, option, value });
  }
}

function takeFromConfig({
  command,
  option,
  value,
}: {
  command: Command;
  option: Option;
  value: string | number | boolean;
}): void {
  if ((typeof value === "boolean") === (option.required || option.optional))
    throw new HandoffError("USAGE_FILE_INVALID", `${option.long} ${value} of the configuration file.`);
  const source = command.getOptionValueSource(option.attributeName());
  if (source === "cli" || source === "env") return;
  const parsed =
    typeof value === "boolean" ? value : (option.parseArg?.(String(value), undefined) ?? String(value));
  command.setOptionValueWithSource(option.attributeName(), parsed, "config");
}
