import type { Command } from "commander";
import { options } from "../options.ts";

export const withAdministration = (command: Command): Command =>
  command
    .addOption(options.data())
    .addOption(options.gateway())
    .addOption(options.adminTokenFile())
    .addOption(options.allowInsecure())
    .addOption(options.json());
