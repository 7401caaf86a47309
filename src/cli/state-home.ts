import { homedir } from "node:os";
import { join } from "node:path";
import type { CliContext } from "./context.ts";

/** Where this user's state lies unless a flag says otherwise. */
export const stateHome = (context: CliContext): string =>
  join(
    context.env["XDG_STATE_HOME"] ?? join(context.env["HOME"] ?? homedir(), ".local", "state"),
    "render-handoff",
  );
