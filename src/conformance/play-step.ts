import type { LedgerStep } from "../../contracts/documents/contract-ledger.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { drainOutbox } from "./drain-outbox.ts";
import { codeOfAnswer, mismatch } from "./judge.ts";
import { graphMismatch } from "./judge-graph.ts";
import type { Player } from "./player.ts";
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
  return mismatch(answer, step.expect, scope.saved) ?? graphMismatch(answer, step.expect, scope.prefix);
}

/** The ledger's base job under the run's id, its scene put first. */
async function putJob(step: StepOf<"put_job">, scope: Scope, player: Player): Promise<string | null> {
  const base = player.ledger.job;
  if (base === null) return "the ledger has no job";
  const scene = Buffer.from(base.scene);
  await player.session.send({
    method: "PUT",
    path: `/q/blob/${sha256(scene)}`,
    headers: { "content-type": "application/octet-stream", "content-length": String(scene.byteLength) },
    body: scene,
    by: "administrator",
  });
  const { document } = base;
  const bytes = canonicalBytes({
    ...document,
    job_id: idOf(scope, step.job),
    limits: { ...document.limits, ...step.limits },
    policy: {
      ...document.policy,
      distinct: step.distinct ?? document.policy.distinct,
      distinct_at_claim: step.distinct_at_claim ?? document.policy.distinct_at_claim,
    },
  });
  const answer = await player.session.send({
    method: "POST",
    path: "/q/job",
    headers: { "content-type": "application/json" },
    body: bytes,
    by: "administrator",
  });
  if (codeOfAnswer(answer) === "ok") scope.jobs.set(step.job, sha256(bytes));
  return mismatch(answer, step.expect, scope.saved);
}

/** All claim at the same moment: exactly one gets the task, all others the code. */
async function race(step: StepOf<"race">, scope: Scope, player: Player): Promise<string | null> {
  const requests = await Promise.all(
    step.workers.map((worker) =>
      requestOf({ do: "claim", task: step.task, worker, expect: { code: "ok" } }, scope, player),
    ),
  );
  const answers = await Promise.all(requests.map((request) => player.session.send(request)));
  const codes = answers.map(codeOfAnswer);
  const winners = codes.filter((code) => code === "ok").length;
  if (winners !== 1) return `${winners} of ${codes.length} claimants got the task, expected 1`;
  const other = codes.find((code) => code !== "ok" && code !== step.loser);
  return other === undefined ? null : `a loser's code is ${other}, expected ${step.loser}`;
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
