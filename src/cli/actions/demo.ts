import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { ChildResult } from "../../../contracts/documents/child-result.ts";
import { JoinReport } from "../../../contracts/documents/join-report.ts";
import { SLOTS, type Slot } from "../../../contracts/flow.ts";
import { HandoffError } from "../../core/error.ts";
import { readDocument } from "../../core/json/read-document.ts";
import { type SubmitOptions, submitScene } from "../../submit/submit-scene.ts";
import { withClient } from "../administer.ts";
import type { CliContext } from "../context.ts";
import { type Cast, registerCast } from "../demo/cast.ts";
import { makeScene } from "../demo/make-scene.ts";
import { freeOutput, type Stage, setStage } from "../demo/stage.ts";
import { tell } from "../demo/tell.ts";
import type { DemoFlags } from "../flags/demo.ts";
import { type OwnRun, runOwn, type ServedGateway, serveOwn } from "../own-process.ts";
import { readToken } from "../read-token.ts";

/** The main job for real: gateway, two workers and checker are processes of their own on this machine. */
export async function demo(flags: DemoFlags, context: CliContext): Promise<void> {
  if (flags.makeScene !== undefined) return await makeScene(flags, flags.makeScene, context);
  const out = flags.out ?? freeOutput(flags.frames, context);
  const stage = await setStage();
  try {
    const gateway = await serveOwn(stage.data, context);
    try {
      await play({ flags, context, stage, gateway, out });
    } finally {
      await gateway.stop();
    }
  } finally {
    await stage.clear();
  }
}

const SCENES_OWN: SubmitOptions["settings"] = {
  engine: null,
  size: null,
  samples: null,
  seed: null,
  device: "CPU",
  output: { format: "PNG", color_mode: "RGBA", bit_depth: 8 },
  allowScripts: false,
  extra: [],
};

interface Play {
  readonly flags: DemoFlags;
  readonly context: CliContext;
  readonly stage: Stage;
  readonly gateway: ServedGateway;
  readonly out: string;
}

async function play(play: Play): Promise<void> {
  const { flags, context, stage, gateway, out } = play;
  const timings: Record<string, number> = {};
  const timed = async <T>(name: string, say: string, work: () => Promise<T>): Promise<T> => {
    context.err(`demo: ${say}\n`);
    const started = context.clock.monotonicMs();
    const value = await work();
    timings[name] = Math.round(context.clock.monotonicMs() - started);
    return value;
  };
  const scene =
    flags.scene === undefined
      ? await timed("scene", "making a small animated scene with Blender", async () => {
          const path = join(stage.scene, "demo.blend");
          await makeScene(flags, path, context);
          return path;
        })
      : resolve(flags.scene);
  const { cast, jobId, jobSha256 } = await timed(
    "submit",
    `submitting frames ${flags.frames.first}-${flags.frames.last} to ${gateway.url}`,
    () => submitted(play, scene),
  );
  const children = await timed("render", "two render-child processes at work", () =>
    rendered(play, cast, jobId),
  );
  const report = await timed("join", "join verify decides", () => joined(play, cast, { jobId, jobSha256 }));
  const outcome = { report, children, out, timings };
  context.out(flags.json ? `${JSON.stringify(outcome)}\n` : tell(outcome));
}

async function submitted(
  { flags, context, stage, gateway }: Play,
  scene: string,
): Promise<{ cast: Cast; jobId: string; jobSha256: string }> {
  const token = await readToken(join(stage.data, "admin-token"));
  return await withClient({ url: gateway.url, token, allowInsecure: false, context }, async (client) => {
    const cast = await registerCast(client, stage.tokens);
    const { job, jobSha256 } = await submitScene({
      client,
      scene,
      sceneRoot: null,
      frames: flags.frames,
      jobId: null,
      blender: flags.blender ?? null,
      versionsFolder: null,
      workFolder: stage.run,
      settings: SCENES_OWN,
      policy: null,
      limits: {},
      allowMissing: false,
      trustScenes: flags.trustScenes === true,
      signal: context.signal,
      clock: context.clock,
    });
    return { cast, jobId: job.job_id, jobSha256 };
  });
}

async function rendered(play: Play, cast: Cast, jobId: string): Promise<Record<Slot, ChildResult>> {
  const threads = Math.max(1, Math.floor(availableParallelism() / SLOTS.length));
  const child = async (slot: Slot): Promise<ChildResult> => {
    const { flags, context, stage, gateway } = play;
    const args = [
      "--slot",
      slot,
      "--job",
      jobId,
      "--gateway",
      gateway.url,
      "--token-file",
      cast.workers[slot],
      "--state",
      stage.state(slot),
      "--threads",
      String(threads),
      "--json",
    ];
    if (flags.blender !== undefined) args.push("--blender", flags.blender);
    if (flags.trustScenes) args.push("--trust-scenes");
    const run = await runOwn({ program: "render-child", args, context });
    const result = readDocument(ChildResult, Buffer.from(run.stdout));
    if (!result.ok || result.value.outcome !== "completed") throw ended(`render-child --slot ${slot}`, run);
    return result.value;
  };
  const [a, b] = await Promise.all([child("a"), child("b")]);
  return { a, b };
}

async function joined(
  { context, gateway, out }: Play,
  cast: Cast,
  anchor: { jobId: string; jobSha256: string },
): Promise<JoinReport> {
  const args = [
    "verify",
    "--job",
    anchor.jobId,
    "--gateway",
    gateway.url,
    "--token-file",
    cast.checker,
    "--out",
    out,
    "--expect-job",
    anchor.jobSha256,
    "--expect-gateway",
    gateway.gatewayId,
  ];
  const run = await runOwn({ program: "join", args, context });
  if (run.exitCode !== 0) throw ended("join verify", run);
  const report = readDocument(JoinReport, await readFile(join(out, "join-report.json")));
  if (!report.ok) throw ended("join verify", run);
  return report.value;
}

/** One of our own processes failed: what it said is shown as it is. */
const ended = (what: string, run: OwnRun): HandoffError =>
  new HandoffError("DEMO_FAILED", `${what} ended with exit code ${run.exitCode}.`, {
    details: `${run.stdout}\n${run.stderr}`
      .split("\n")
      .filter((line) => line !== "")
      .slice(-20),
  });
