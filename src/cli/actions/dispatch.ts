import { join } from "node:path";
import type { DispatchResult } from "../../../contracts/documents/dispatch-result.ts";
import { HandoffError } from "../../core/error.ts";
import { harmless } from "../../core/escape.ts";
import { enqueue } from "../../dispatch/enqueue.ts";
import { type ListedEntry, listEntries } from "../../dispatch/list-entries.ts";
import { runDue } from "../../dispatch/run-due.ts";
import { unhold } from "../../dispatch/unhold.ts";
import type { CliContext } from "../context.ts";
import { drawProgress } from "../draw-progress.ts";
import type { DispatchEnqueueFlags, DispatchFlags, DispatchRunFlags } from "../flags/dispatch.ts";
import { metadataWish } from "../metadata-wish.ts";
import { openMetricsFile } from "../metrics-file.ts";
import { stateHome } from "../state-home.ts";
import { tellFailure } from "../tell-failure.ts";
import { workerOf } from "../worker-of.ts";

/** Adds an entry and tells when it is due. */
export async function enqueueEntry(call: {
  id: string;
  flags: DispatchEnqueueFlags;
  context: CliContext;
}): Promise<void> {
  const { id, flags, context } = call;
  const stateFolder = await stateOf(flags, context);
  enqueue({
    stateFolder,
    id,
    slot: flags.slot,
    jobId: flags.job ?? null,
    gatewayUrl: flags.gateway,
    allowInsecure: flags.allowInsecure === true,
    everySeconds: flags.every ?? null,
    due: flags.due ?? null,
    clock: context.clock,
  });
  const added = listEntries(stateFolder, context.clock).filter((entry) => entry.id === id);
  context.out(flags.json ? `${JSON.stringify(added[0])}\n` : added.map(shown).join(""));
}

export async function showEntries(flags: DispatchFlags, context: CliContext): Promise<void> {
  const entries = listEntries(await stateOf(flags, context), context.clock);
  const told = entries.length === 0 ? "no entries\n" : entries.map(shown).join("");
  context.out(flags.json ? `${JSON.stringify({ entries })}\n` : told);
}

/** One run of what is due; the exit code is that of render-child. */
export async function runEntry(flags: DispatchRunFlags, context: CliContext): Promise<void> {
  const { token, workerUuid } = await workerOf(flags.tokenFile);
  const progress = drawProgress(context);
  const stateFolder = flags.state ?? join(stateHome(context), workerUuid);
  const metadata = await metadataWish(flags, stateFolder);
  const metrics = await openMetricsFile(flags.metricsFile, context);
  const result = await runDue({
    workerUuid,
    token,
    stateFolder,
    outputFolder: flags.output,
    allowInsecure: flags.allowInsecure === true,
    blender: flags.blender ?? null,
    threads: flags.threads,
    allowScripts: flags.allowScripts === true,
    trustScenes: flags.trustScenes === true,
    maxWaitSeconds: flags.maxWait,
    now: flags.now ?? null,
    ...(metadata === null ? {} : { metadata }),
    signal: context.signal,
    clock: context.clock,
    logger: context.terminal ? { log: () => {} } : context.logger,
    onProgress: (at) => {
      metrics.see(at);
      progress.show(at);
    },
  });
  await metrics.write(result.child ?? idle(result));
  progress.end();
  context.out(flags.json ? `${JSON.stringify(result)}\n` : told(result));
  if (result.child !== null) tellFailure(result.child, context);
}

/** A run without a child, for the figures: that somebody must act is told as long as it is so. */
const idle = ({ outcome, reason, held }: DispatchResult): Pick<DispatchResult, "outcome" | "reason"> => ({
  outcome: held.length > 0 ? "held" : outcome,
  reason,
});

export async function clearHold(call: {
  name: string;
  flags: DispatchFlags;
  context: CliContext;
}): Promise<void> {
  const { name, flags, context } = call;
  const kind = unhold({ stateFolder: await stateOf(flags, context), name, clock: context.clock });
  context.out(
    flags.json ? `${JSON.stringify({ cleared: kind, name })}\n` : `${kind} ${name} is not held any more\n`,
  );
}

async function stateOf(flags: DispatchFlags, context: CliContext): Promise<string> {
  if (flags.state !== undefined) return flags.state;
  if (flags.tokenFile === undefined)
    throw new HandoffError("USAGE_ARGUMENT", "Give --state, or --token-file to find it.");
  return join(stateHome(context), (await workerOf(flags.tokenFile)).workerUuid);
}

function told(result: DispatchResult): string {
  const parts = [
    result.outcome,
    result.id,
    result.reason,
    result.next_due_utc === null ? null : `next due ${result.next_due_utc}`,
    result.held.length === 0 ? null : `held: ${result.held.join(", ")}`,
  ];
  return `${parts
    .filter((part) => part !== null)
    .map((part) => harmless(part))
    .join("  ")}\n`;
}

function shown(entry: ListedEntry): string {
  const parts = [
    harmless(entry.id),
    entry.state,
    `${entry.job_id ?? "any job"}, slot ${entry.slot}`,
    entry.host,
    entry.next_due_utc === null ? null : `next due ${entry.next_due_utc}`,
    entry.last_outcome === null ? null : `last ${entry.last_outcome}`,
    entry.reason,
    entry.host_held === null ? null : `host held: ${harmless(entry.host_held)}`,
  ];
  return `${parts.filter((part) => part !== null).join("  ")}\n`;
}
