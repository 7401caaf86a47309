import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerStep } from "../../contracts/documents/contract-ledger.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { HEADERS } from "../../contracts/routes.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { OUTBOX_FILES, type OutboxRow } from "../gateway-client/outbox.ts";
import { openState } from "../gateway-client/state.ts";
import { judgeAnswer } from "./judge-answer.ts";
import type { PlayedRequest } from "./played-request.ts";
import type { Player } from "./player.ts";
import { slotResult } from "./request-of.ts";
import { idOf, type Scope } from "./scope.ts";

type DrainStep = Extract<LedgerStep, { do: "drain_outbox" }>;

/**
 * OUTBOX-01 on render-child: a state folder as a run leaves it that ended after its commit, before or after
 * the gateway accepted; `render-child --drain-only` must end with the gateway's own receipt, once.
 */
export async function drainOutbox(step: DrainStep, scope: Scope, player: Player): Promise<string | null> {
  if (player.process === null) return "there is no render-child to run";
  const folder = await mkdtemp(join(tmpdir(), "render-handoff-conformance-"));
  try {
    const { token } = await player.session.worker(step.worker);
    const tokenFile = join(folder, "token");
    await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
    const stateFolder = join(folder, "state");
    const { row, body } = await leaveRow(step, scope, { player, stateFolder });
    if (step.sent) {
      const fault = await acceptBefore(step, scope, { player, row, body });
      if (fault !== null) return fault;
    }
    const child = { stateFolder, url: player.session.url(), slot: step.slot, tokenFile };
    const first = await player.process.drain(child);
    if (first.outcome !== "completed") return `render-child ended as ${first.outcome}, expected completed`;
    const fault = await compareReceipts(row, { player, stateFolder });
    if (fault !== null) return fault;
    const second = await player.process.drain(child);
    return second.outcome === "no_due_job"
      ? null
      : `a second run ended as ${second.outcome}, expected no_due_job`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Left {
  readonly row: OutboxRow;
  readonly body: Buffer;
}

async function leaveRow(
  step: DrainStep,
  scope: Scope,
  { player, stateFolder }: { player: Player; stateFolder: string },
): Promise<Left> {
  const run = join("runs", "conformance");
  const bundle = Buffer.from(step.bundle);
  const taskId = slotTaskId(idOf(scope, step.job), step.slot);
  const body = canonicalBytes({
    task_id: taskId,
    worker_id: (await player.session.worker(step.worker)).workerUuid,
    fencing_token: step.fence,
    result: slotResult(step, scope, player.ledger),
  });
  await mkdir(join(stateFolder, run), { recursive: true, mode: 0o700 });
  await writeFile(join(stateFolder, run, OUTBOX_FILES.bundle), bundle);
  await writeFile(join(stateFolder, run, OUTBOX_FILES.body), body);
  const state = openState(stateFolder, player.clock);
  try {
    const row = state.outbox.add({
      gateway_id: player.gatewayId,
      task_id: taskId,
      job_sha256: scope.jobs.get(step.job) ?? "",
      slot: step.slot,
      executable_sha256: sha256("none"),
      fencing_token: step.fence,
      folder: run,
      bundle_sha256: sha256(bundle),
      bundle_bytes: bundle.byteLength,
      body_sha256: sha256(body),
    });
    return { row, body };
  } finally {
    state.close();
  }
}

async function acceptBefore(
  step: DrainStep,
  scope: Scope,
  { player, row, body }: Left & { player: Player },
): Promise<string | null> {
  const request: PlayedRequest = {
    route: "submit",
    path: "/q/submit",
    headers: { "content-type": "application/json", [HEADERS.idempotencyKey]: row.key },
    body,
    by: { worker: step.worker },
  };
  const answer = await player.session.send(request);
  const fault = judgeAnswer({ request, answer, expected: { code: "ok" } }, scope, player.gatewayId);
  return fault === null ? null : `the submit before: ${fault}`;
}

/** One row, done, with the receipt that the gateway keeps. */
async function compareReceipts(
  row: OutboxRow,
  { player, stateFolder }: { player: Player; stateFolder: string },
): Promise<string | null> {
  const kept = await player.session.send({
    route: "getReceipt",
    path: `/q/receipt/${row.task_id}`,
    headers: {},
    body: null,
    by: "administrator",
  });
  const state = openState(stateFolder, player.clock);
  try {
    if (state.outbox.pending().length > 0) return "a row is pending after the run";
    const receipt = state.outbox.receipt(row.key);
    if (receipt === null) return "the row has no receipt";
    return kept.body.equals(receipt) ? null : "the row's receipt is not the gateway's";
  } finally {
    state.close();
  }
}
