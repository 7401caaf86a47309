import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { FAULT_POINTS } from "../../../src/render-child/fault-points.ts";
import { childOptions, putJob } from "../../support/child.ts";
import { type ChildProcessRun, startChildProcess } from "../../support/child-process.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { holdingProxy } from "../../support/holding-proxy.ts";
import { type ToldBlender, toldBlender } from "../../support/told-blender.ts";
import type { CrashCase } from "./cases.ts";
import { leftovers } from "./leftovers.ts";
import { runAgain } from "./run-again.ts";
import { verdictOf } from "./verdict.ts";

export interface Stage {
  readonly gateway: TestGateway;
  /** For the folders of cases. */
  readonly folder: string;
  /** Frames of the slot as a run without a crash hands them in. */
  readonly frames: unknown;
  /** Runs after the crash are processes of their own too. */
  readonly apart: boolean;
}

export interface Played {
  readonly crash: CrashCase;
  /** Of the lease that was long enough. */
  readonly leaseSeconds: number;
  /** LEASE_LOST after the crash, each answered by running again. */
  readonly lost: number;
  readonly renders: number;
  readonly problems: readonly string[];
}

/** Seconds of the leases: a longer one where a busy machine cannot keep the one before. */
export const LEASES = [2, 8, 32, 128] as const;
let played = 0;

/** One crash and what comes after it. */
export async function playCase(stage: Stage, crash: CrashCase): Promise<Played> {
  for (const leaseSeconds of LEASES) {
    played += 1;
    const name = `case-${played}`;
    const folder = join(stage.folder, name);
    await mkdir(join(folder, "tmp"), { recursive: true });
    const blender = await toldBlender(join(folder, "blender"), crash.point);
    try {
      const once = await playOnce(stage, { crash, name, folder, blender, leaseSeconds });
      if (once !== null) return { crash, leaseSeconds, renders: blender.starts(), ...once };
    } finally {
      blender.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return { crash, leaseSeconds: 128, lost: 0, renders: 0, problems: ["no lease was long enough"] };
}

interface Playing {
  readonly crash: CrashCase;
  readonly name: string;
  readonly folder: string;
  readonly blender: ToldBlender;
  readonly leaseSeconds: number;
}

/** `state` names a worker's folder, `options` are those of its runs. */
export interface Party {
  readonly workerUuid: string;
  readonly options: Awaited<ReturnType<typeof childOptions>>;
}

/** Null when the lease was too short. */
async function playOnce(stage: Stage, playing: Playing): Promise<Pick<Played, "lost" | "problems"> | null> {
  const { gateway } = stage;
  const { crash, name, folder, blender } = playing;
  await putJob(gateway, "stops-midway", {
    jobId: name,
    limits: { lease_seconds: playing.leaseSeconds },
    policy: { allow_containment: [crash.containment] },
  });
  const party = async (who: string): Promise<Party> => {
    const worker = await gateway.registerWorker(who);
    const change = { jobId: name, blender: blender.path, stateFolder: join(folder, who) };
    return { workerUuid: worker.workerUuid, options: await childOptions(gateway, worker, change) };
  };
  const first = await party("first");
  const second = await party("second");

  const problems = await crashed(stage, playing, first);
  if (problems === null) return null;
  await blender.goOn();
  const before = await gateway.call(`/q/receipt/${name}.a`);
  const sent = FAULT_POINTS.indexOf(crash.point) >= FAULT_POINTS.indexOf("after_submit_sent");
  if (sent !== (before.status === 200)) problems.push(`receipt after the crash: HTTP ${before.status}`);

  const parties = crash.rerunBy === "same" ? [first] : [second, first];
  let lost = 0;
  for (const one of parties) {
    const again = await runAgain(one, stage.apart ? environment(folder) : null);
    if (again === null) return null;
    lost += again.lost;
    problems.push(...again.problems);
  }
  const winner = sent || crash.rerunBy === "same" ? first : second;
  problems.push(...(await verdictOf(stage, { name, winner, before: sent ? before.bytes : null })));
  problems.push(...rendersOf(crash, blender.starts(), lost));
  const states = parties.map((one) => one.options.stateFolder);
  problems.push(...(await leftovers(folder, states)));
  return { lost, problems };
}

const environment = (folder: string) => ({ TMPDIR: join(folder, "tmp") });

/** Runs the first worker up to the point and sends the signal: what was wrong then, null where it never got there. */
async function crashed(stage: Stage, playing: Playing, first: Party): Promise<string[] | null> {
  const { crash, folder, blender } = playing;
  const { point, signal } = crash;
  const proxy =
    point === "during_upload" || point === "after_submit_sent"
      ? await holdingProxy(stage.gateway.url, point)
      : null;
  const options = { ...first.options, gatewayUrl: proxy?.url ?? stage.gateway.url };
  const child = startChildProcess(options, { hold: point, env: environment(folder) });
  const arrived =
    proxy?.held ??
    (point.startsWith("during_r") || point === "during_save" ? blender.stopped : child.line(`at ${point}`));
  const there = await Promise.race([arrived.then(() => true), child.ended.then(() => false)]);
  if (there) child.kill(signal);
  const end = await child.ended;
  await proxy?.close();
  if (there) return endOf(crash, end);
  return end.result?.reason === "LEASE_LOST" ? null : [`before the point: ${JSON.stringify(end)}`];
}

/** A signal that can be caught ends the run in order, with what it has come to. */
function endOf(crash: CrashCase, end: Awaited<ChildProcessRun["ended"]>): string[] {
  if (crash.signal === "SIGKILL") return end.signal === "SIGKILL" ? [] : [`ended by ${end.signal}`];
  const done = crash.point === "after_receipt" || crash.point === "during_cleanup";
  const { result } = end;
  const right = done
    ? result?.outcome === "completed"
    : result?.reason === "INTERRUPTED" || result?.reason === "LEASE_LOST";
  return right ? [] : [`ended as ${JSON.stringify(end)}`];
}

/** At most one render is wasted, and none when the work was in the outbox and its worker comes back. */
function rendersOf(crash: CrashCase, renders: number, lost: number): string[] {
  const at = FAULT_POINTS.indexOf(crash.point);
  const started = at >= FAULT_POINTS.indexOf("during_render") ? 1 : 0;
  // a signal that can be caught lets a finished bundle reach the outbox
  const finished = crash.signal === "SIGKILL" ? "after_outbox" : "after_bundle";
  const kept = crash.rerunBy === "same" ? finished : "after_submit_sent";
  const expected = started + (at >= FAULT_POINTS.indexOf(kept) ? 0 : 1);
  return renders >= expected && renders <= expected + lost
    ? []
    : [`${renders} renders, expected ${expected}`];
}
