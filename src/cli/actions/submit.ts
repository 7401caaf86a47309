import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Limits } from "../../../contracts/documents/job.ts";
import { type Policy, STANDARD_POLICY } from "../../../contracts/documents/policy.ts";
import { type SubmittedScene, submitScene } from "../../submit/submit-scene.ts";
import { administerOrMake } from "../administer.ts";
import type { CliContext } from "../context.ts";
import type { SubmitFlags } from "../flags/submit.ts";
import { readPolicy } from "../read-policy.ts";
import { stateHome } from "../state-home.ts";

/** Submits a scene as a handoff and tells the job's digest: the checker's anchor. */
export async function submit({
  scene,
  flags,
  context,
}: {
  scene: string;
  flags: SubmitFlags;
  context: CliContext;
}): Promise<void> {
  const policy = await policyOf(flags);
  const workFolder = await mkdtemp(join(tmpdir(), "render-handoff-submit-"));
  try {
    const submitted = await administerOrMake(flags, context, (client) =>
      submitScene({
        client,
        scene,
        sceneRoot: flags.sceneRoot ?? null,
        frames: flags.frames,
        jobId: flags.job ?? null,
        blender: flags.blender ?? null,
        versionsFolder: join(stateHome(context), "versions"),
        workFolder,
        settings: {
          engine: flags.engine ?? null,
          size: flags.size ?? null,
          samples: flags.samples ?? null,
          seed: flags.seed,
          device: "CPU",
          output: { format: "PNG", color_mode: flags.colorMode, bit_depth: flags.bitDepth },
          allowScripts: flags.allowScripts === true,
          extra: [],
        },
        policy,
        limits: limitsOf(flags),
        allowMissing: flags.allowMissing === true,
        trustScenes: flags.trustScenes === true,
        signal: context.signal,
        clock: context.clock,
        onUpload: ({ path, bytes }) =>
          context.terminal && context.err(`uploading ${path} (${bytes} bytes)\n`),
      }),
    );
    show(submitted, flags, context);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function policyOf(flags: SubmitFlags): Promise<Policy> {
  const policy = flags.policy === undefined ? STANDARD_POLICY : await readPolicy(flags.policy);
  return flags.sameWorker === true ? { ...policy, distinct_at_claim: false } : policy;
}

const LIMIT_FLAGS = {
  watchdog_seconds: "watchdogSeconds",
  run_seconds: "runSeconds",
  slot_seconds: "slotSeconds",
  lease_seconds: "leaseSeconds",
  max_claims: "maxClaims",
} as const;

const limitsOf = (flags: SubmitFlags): Partial<Limits> =>
  Object.fromEntries(
    Object.entries(LIMIT_FLAGS).flatMap(([limit, flag]) =>
      flags[flag] === undefined ? [] : [[limit, flags[flag]]],
    ),
  );

function show({ job, jobSha256, created }: SubmittedScene, flags: SubmitFlags, context: CliContext): void {
  const [a, b] = job.slots;
  context.out(
    flags.json
      ? `${JSON.stringify({ job_id: job.job_id, job_sha256: jobSha256, created })}\n`
      : `job ${job.job_id}${created ? "" : " (was there already)"}\nslot a frames ${a.first}-${a.last}, slot b frames ${b.first}-${b.last}\nsha256 ${jobSha256}\n`,
  );
}
