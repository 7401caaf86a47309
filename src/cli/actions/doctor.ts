import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HandoffError } from "../../core/error.ts";
import { harmless } from "../../core/escape.ts";
import { examine } from "../../doctor/examine.ts";
import type { GatewayProbe } from "../../doctor/examine-gateway.ts";
import type { Line } from "../../doctor/line.ts";
import type { ExchangeRecord } from "../../gateway-client/client.ts";
import { httpDate } from "../../gateway-client/retry-after.ts";
import { withClient } from "../administer.ts";
import type { CliContext } from "../context.ts";
import type { DoctorFlags } from "../flags/doctor.ts";
import { readToken } from "../read-token.ts";
import { stateHome } from "../state-home.ts";

const FAULT_EXIT = 4;

/** Prints what was found; exit code 4 when one line is a fault. */
export async function doctor(flags: DoctorFlags, context: CliContext): Promise<void> {
  if (flags.gateway === undefined && flags.tokenFile !== undefined)
    throw new HandoffError("USAGE_ARGUMENT", "--token-file needs --gateway.");
  const token = flags.tokenFile === undefined ? null : await readToken(flags.tokenFile);
  const runFolder = await mkdtemp(join(tmpdir(), "render-handoff-doctor-"));
  try {
    const lines = await withProbe({ flags, context, token }, (gateway) =>
      examine({
        blender: flags.blender ?? null,
        stateFolder: flags.state ?? stateHome(context),
        runFolder,
        signal: context.signal,
        clock: context.clock,
        gateway,
      }),
    );
    context.out(flags.json ? `${JSON.stringify({ lines })}\n` : lines.map(shown).join(""));
    if (lines.some((line) => line.state === "fault")) context.setExit(FAULT_EXIT);
  } finally {
    await rm(runFolder, { recursive: true, force: true });
  }
}

/** The named gateway as doctor asks it; null where none was named. */
async function withProbe(
  { flags, context, token }: { flags: DoctorFlags; context: CliContext; token: string | null },
  look: (probe: GatewayProbe | null) => Promise<Line[]>,
): Promise<Line[]> {
  if (flags.gateway === undefined) return look(null);
  let offset: number | null = null;
  const onExchange = ({ headers }: ExchangeRecord): void => {
    const now = context.clock.wallSeconds();
    const told = typeof headers["date"] === "string" ? httpDate(headers["date"], now) : null;
    offset = told === null ? null : told - now;
  };
  return withClient(
    { url: flags.gateway, token, allowInsecure: flags.allowInsecure === true, context, onExchange },
    (client) =>
      look({
        wellKnown: () => client.wellKnown(),
        clockOffset: () => offset,
        authenticated: token === null ? null : () => client.listTasks({ limit: 1 }),
      }),
  );
}

const shown = (line: Line): string =>
  `${line.state.padEnd(7)} ${line.subject}: ${harmless(line.detail)}\n${line.action === null ? "" : `        ${line.action}\n`}`;
