import type { Containment } from "../../../contracts/documents/policy.ts";
import { bwrapCommand } from "./bwrap.ts";
import type { Command, Launch } from "./command.ts";
import { processGroupCommand } from "./process-group.ts";
import { unshareCommand } from "./unshare.ts";

/** The command that runs Blender in that containment. */
export function contain(containment: Containment, launch: Launch): Command {
  switch (containment) {
    case "bwrap":
      return bwrapCommand(launch);
    case "unshare":
      return unshareCommand(launch);
    case "process-group":
      return processGroupCommand(launch);
  }
}
