import type { CheckerRecord, WorkerRecord } from "../../../contracts/documents/records.ts";
import { harmless } from "../../core/escape.ts";
import type { GatewayClient } from "../../gateway-client/client.ts";
import { administer, administerOrMake } from "../administer.ts";
import { allPages, PAGE_ITEMS } from "../all-pages.ts";
import type { CliContext } from "../context.ts";
import type { AdministrationFlags } from "../flags/administration.ts";
import type { CheckerAddFlags } from "../flags/checker.ts";
import type { WorkerAddFlags } from "../flags/worker.ts";
import { refuseUnwritable, writeOutput } from "../output-file.ts";

interface Call<Flags> {
  readonly flags: Flags;
  readonly context: CliContext;
}

export async function addWorker({
  name,
  flags,
  context,
}: Call<WorkerAddFlags> & { name: string }): Promise<void> {
  await refuseUnwritable(flags.tokenFile);
  const request = { name, operator: flags.operator ?? null, public_key: null };
  const { value } = await administerOrMake(flags, context, (client) => client.registerWorker(request));
  await show({ idName: "worker_uuid", id: value.worker_uuid, token: value.token, flags, context });
}

export async function addChecker({
  name,
  flags,
  context,
}: Call<CheckerAddFlags> & { name: string }): Promise<void> {
  await refuseUnwritable(flags.tokenFile);
  const { value } = await administerOrMake(flags, context, (client) => client.registerChecker({ name }));
  await show({ idName: "checker_uuid", id: value.checker_uuid, token: value.token, flags, context });
}

/** The token goes to the file or to the screen, once; it is kept nowhere else. */
async function show(
  issued: Call<WorkerAddFlags> & { idName: string; id: string; token: string },
): Promise<void> {
  const { flags, context, id, token } = issued;
  if (flags.tokenFile !== undefined)
    await writeOutput(flags.tokenFile, `${token}\n`, {
      mode: 0o600,
      more: ` ${id} is registered and its token lost: revoke it.`,
    });
  if (flags.json)
    context.out(
      `${JSON.stringify({ [issued.idName]: id, ...(flags.tokenFile === undefined ? { token } : {}) })}\n`,
    );
  else
    context.out(
      flags.tokenFile === undefined
        ? `${id}\ntoken (shown once): ${token}\n`
        : `${id}\ntoken written to ${flags.tokenFile}\n`,
    );
}

export async function listWorkers(flags: AdministrationFlags, context: CliContext): Promise<void> {
  const workers = await administer(flags, context, allWorkers);
  if (flags.json) context.out(`${JSON.stringify({ workers })}\n`);
  else for (const worker of workers) context.out(workerLine(worker));
}

const allWorkers = (client: GatewayClient): Promise<WorkerRecord[]> =>
  allPages(async (from) => {
    const { value } = await client.listWorkers({ limit: PAGE_ITEMS, ...from });
    return { items: value.workers, cursor: value.cursor };
  });

export async function listCheckers(flags: AdministrationFlags, context: CliContext): Promise<void> {
  const { value } = await administer(flags, context, (client) => client.listCheckers());
  if (flags.json) context.out(`${JSON.stringify(value)}\n`);
  else for (const checker of value.checkers) context.out(checkerLine(checker));
}

export async function revokeWorker({
  id,
  flags,
  context,
}: Call<AdministrationFlags> & { id: string }): Promise<void> {
  const { value } = await administer(flags, context, (client) => client.revokeWorker(id));
  context.out(flags.json ? `${JSON.stringify(value)}\n` : workerLine(value));
}

export async function revokeChecker({
  id,
  flags,
  context,
}: Call<AdministrationFlags> & { id: string }): Promise<void> {
  const { value } = await administer(flags, context, (client) => client.revokeChecker(id));
  context.out(flags.json ? `${JSON.stringify(value)}\n` : checkerLine(value));
}

const state = (revokedAt: string | null): string => (revokedAt === null ? "active" : `revoked ${revokedAt}`);
const workerLine = (worker: WorkerRecord): string =>
  `${worker.worker_uuid}  ${state(worker.revoked_at)}  ${harmless(worker.name)}${worker.operator === null ? "" : ` (${harmless(worker.operator)})`}\n`;
const checkerLine = (checker: CheckerRecord): string =>
  `${checker.checker_uuid}  ${state(checker.revoked_at)}  ${harmless(checker.name)}\n`;
