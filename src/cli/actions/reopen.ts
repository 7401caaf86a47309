import { administer } from "../administer.ts";
import type { CliContext } from "../context.ts";
import type { ReopenFlags } from "../flags/reopen.ts";

/** Asks the gateway to make a done slot ready again. */
export async function reopen({
  task,
  flags,
  context,
}: {
  task: string;
  flags: ReopenFlags;
  context: CliContext;
}): Promise<void> {
  const { value } = await administer(flags, context, (client) =>
    client.reopen({ task_id: task, reason: flags.reason }),
  );
  context.out(
    flags.json ? `${JSON.stringify(value)}\n` : `${value.task_id} is ready again, version ${value.version}\n`,
  );
}
