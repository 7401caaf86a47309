import type { LedgerStep } from "../../contracts/documents/contract-ledger.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { isSuccess } from "./answer.ts";
import { drainOutbox } from "./drain-outbox.ts";
import { noneWhere } from "./exchange-once.ts";
import { judgeAnswer } from "./judge-answer.ts";
import type { PlayedRequest } from "./played-request.ts";
import type { Player } from "./player.ts";
import { readEvents } from "./read-events.ts";
import { requestOf } from "./request-of.ts";
import { idOf, type RequestStep, type Scope } from "./scope.ts";

type StepOf<Verb> = Extract<LedgerStep, { do: Verb }>;

const POLL_MS = 100;
const PATIENCE_MS = 20_000;

/** Plays one step; what came out otherwise than expected, as a sentence, or null. */
export async function playStep(step: LedgerStep, scope: Scope, player: Player): Promise<string | null> {
  switch (step.do) {
    case "put_job":
      return putJob(step, scope, player);
    case "race":
      return race(step, scope, player);
    case "wait":
      await player.clock.sleep(step.seconds * 1_000);
      return null;
    case "wait_expiry":
      return waitForExpiry(step, scope, player);
    case "kill_gateway":
      if (player.process === null) return "there is no process to kill";
      player.session.moveTo((await player.process.killAndRestart()).url);
      return null;
    case "revoke_others": {
      const left = await player.session.revokeOthers(step.keep);
      return left.length === 0 ? null : `${left.length} workers could not be revoked`;
    }
    case "upload_cut":
      return uploadCut(step, scope, player);
    case "read_events":
      return readEvents(step, scope, player);
    case "drain_outbox":
      return drainOutbox(step, scope, player);
    default:
      return ask(step, scope, player);
  }
}

async function ask(step: RequestStep, scope: Scope, player: Player): Promise<string | null> {
  const request = await requestOf(step, scope, player);
  const answer = await player.session.send(request);
  if ("save" in step && step.save !== undefined) scope.saved.set(step.save, answer.body);
  if ("save_body" in step && step.save_body !== undefined && request.body !== null)
    scope.saved.set(step.save_body, request.body);
  return judgeAnswer({ request, answer, expected: step.expect }, scope, player.gatewayId);
}

/** The ledger's base job under the run's id, its scene put first. */
async function putJob(step: StepOf<"put_job">, scope: Scope, player: Player): Promise<string | null> {
  const base = player.ledger.job;
  if (base === null) return "the ledger has no job";
  const fault = await putScene(Buffer.from(base.scene), scope, player);
  if (fault !== null) return `the upload of its scene: ${fault}`;
  const { document } = base;
  const body = canonicalBytes({
    ...document,
    job_id: idOf(scope, step.job),
    limits: { ...document.limits, ...step.limits },
    policy: {
      ...document.policy,
      distinct: step.distinct ?? document.policy.distinct,
      distinct_at_claim: step.distinct_at_claim ?? document.policy.distinct_at_claim,
    },
  });
  const request: PlayedRequest = {
    route: "putJob",
    path: "/q/job",
    headers: { "content-type": "application/json" },
    body,
    by: "administrator",
  };
  const answer = await player.session.send(request);
  if (isSuccess(answer)) scope.jobs.set(step.job, sha256(body));
  return judgeAnswer({ request, answer, expected: step.expect }, scope, player.gatewayId);
}

async function putScene(scene: Buffer, scope: Scope, player: Player): Promise<string | null> {
  const request: PlayedRequest = {
    route: "putBlob",
    path: `/q/blob/${sha256(scene)}`,
    headers: { "content-type": "application/octet-stream", "content-length": String(scene.byteLength) },
    body: scene,
    by: "administrator",
  };
  const answer = await player.session.send(request);
  return judgeAnswer({ request, answer, expected: { code: "ok" } }, scope, player.gatewayId);
}

/** The connection ends too early; whether and how that is answered is the gateway's affair, unless it says yes. */
async function uploadCut(step: StepOf<"upload_cut">, scope: Scope, player: Player): Promise<string | null> {
  const whole = await requestOf({ ...step, do: "upload", expect: { code: "ok" } }, scope, player);
  const stated = String((whole.body?.byteLength ?? 0) + 1);
  const request = { ...whole, headers: { ...whole.headers, "content-length": stated }, cut: true };
  const answer = await player.session.send(request).catch(noneWhere("GATEWAY_CONNECTION_LOST"));
  return answer !== null && isSuccess(answer) ? `status is ${answer.status} for half an upload` : null;
}

/** All claim at the same moment: exactly one gets the task, all others the code. */
async function race(step: StepOf<"race">, scope: Scope, player: Player): Promise<string | null> {
  const requests = await Promise.all(
    step.workers.map((worker) =>
      requestOf({ do: "claim", task: step.task, worker, expect: { code: "ok" } }, scope, player),
    ),
  );
  const claims = await Promise.all(
    requests.map(async (request) => ({ request, answer: await player.session.send(request) })),
  );
  const winners = claims.filter(({ answer }) => isSuccess(answer)).length;
  if (winners !== 1) return `${winners} of ${claims.length} claimants got the task, expected 1`;
  for (const claim of claims) {
    const code = isSuccess(claim.answer) ? "ok" : step.loser;
    const fault = judgeAnswer({ ...claim, expected: { code } }, scope, player.gatewayId);
    if (fault !== null) return code === "ok" ? `the winner: ${fault}` : `a loser: ${fault}`;
  }
  return null;
}

/** Waits in real seconds until the task's lease has ended by the gateway's own clock. */
async function waitForExpiry(
  step: StepOf<"wait_expiry">,
  scope: Scope,
  player: Player,
): Promise<string | null> {
  const until = player.clock.monotonicMs() + PATIENCE_MS;
  const read: RequestStep = {
    do: "read_task",
    task: step.task,
    expect: { code: "ok", state: "ready" },
  };
  for (;;) {
    const fault = await ask(read, scope, player);
    if (fault === null) return null;
    if (player.clock.monotonicMs() > until) return `the lease did not end in ${PATIENCE_MS} ms: ${fault}`;
    await player.clock.sleep(POLL_MS);
  }
}
