import { join } from "node:path";
import { TOKEN_FILE } from "../../gateway/data-folder.ts";
import { renewAdminToken } from "../../gateway/upkeep/renew-admin-token.ts";
import type { CliContext } from "../context.ts";
import type { NewAdminTokenFlags } from "../flags/gateway.ts";

/** Replaces the administrator's token; it is written to its file and never shown. */
export async function gatewayNewAdminToken(flags: NewAdminTokenFlags, context: CliContext): Promise<void> {
  await renewAdminToken({ dataFolder: flags.data, storeUrl: flags.store ?? null, clock: context.clock });
  const file = join(flags.data, TOKEN_FILE);
  context.out(
    flags.json
      ? `${JSON.stringify({ admin_token_file: file })}\n`
      : `new administrator's token in ${file}\nthe old one ends when the gateway is started anew\n`,
  );
}
