import { HandoffError } from "../../core/error.ts";
import { harmless } from "../../core/escape.ts";
import { examine } from "../../doctor/examine.ts";
import type { Line } from "../../doctor/line.ts";
import type { GatewayClient } from "../../gateway-client/client.ts";
import { withClient } from "../administer.ts";
import type { CliContext } from "../context.ts";
import type { DoctorFlags } from "../flags/doctor.ts";
import { readToken } from "../read-token.ts";

const FAULT_EXIT = 4;

/** Prints what was found; exit code 4 when one line is a fault. */
export async function doctor(flags: DoctorFlags, context: CliContext): Promise<void> {
  const look = (client: GatewayClient | null, token: string | null): Promise<Line[]> =>
    examine({
      blender: flags.blender ?? null,
      searchPath: context.env["PATH"],
      clock: context.clock,
      gateway:
        client === null
          ? null
          : {
              wellKnown: () => client.wellKnown(),
              authenticated: token === null ? null : () => client.listTasks({ limit: 1 }),
            },
    });
  if (flags.gateway === undefined && flags.tokenFile !== undefined)
    throw new HandoffError("USAGE_ARGUMENT", "--token-file needs --gateway.");
  const token = flags.tokenFile === undefined ? null : await readToken(flags.tokenFile);
  const lines =
    flags.gateway === undefined
      ? await look(null, null)
      : await withClient(
          { url: flags.gateway, token, allowInsecure: flags.allowInsecure === true, context },
          (client) => look(client, token),
        );
  context.out(flags.json ? `${JSON.stringify({ lines })}\n` : lines.map(shown).join(""));
  if (lines.some((line) => line.state === "fault")) context.setExit(FAULT_EXIT);
}

const shown = (line: Line): string =>
  `${line.state.padEnd(7)} ${line.subject}: ${harmless(line.detail)}\n${line.action === null ? "" : `        ${line.action}\n`}`;
