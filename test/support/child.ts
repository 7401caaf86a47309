import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Job, STANDARD_LIMITS } from "../../contracts/documents/job.ts";
import { STANDARD_POLICY } from "../../contracts/documents/policy.ts";
import { type BlenderIdentity, identifyBlender } from "../../src/blender/identify.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { ChildOptions } from "../../src/render-child/run.ts";
import { SETTINGS } from "./blender.ts";
import type { TestGateway, TestWorker } from "./gateway.ts";
import { putSampleJob, sampleJob } from "./gateway-job.ts";
import { temporaryFolder } from "./temporary.ts";

export const fixtureBlender = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/blender/${name}`, import.meta.url));

export interface JobChange {
  readonly jobId?: string;
  readonly limits?: Partial<Job["limits"]>;
  readonly policy?: Partial<Job["policy"]>;
  readonly blender?: Partial<Job["blender"]>;
  readonly render?: Partial<Job["render"]>;
  readonly slots?: Job["slots"];
}

/** Puts a small job for one of the tiny Blenders: frames 205-207 and 208-210. */
export async function putJob(
  gateway: TestGateway,
  blender: string | BlenderIdentity,
  change: JobChange = {},
): Promise<Job> {
  const identity =
    typeof blender === "string"
      ? await identifyBlender({ path: fixtureBlender(blender), cacheFolder: null, clock: systemClock })
      : blender;
  const job = sampleJob({
    job_id: change.jobId ?? "shot",
    blender: {
      version: identity.version,
      executables: [{ platform: identity.platform, sha256: identity.sha256 }],
      ...change.blender,
    },
    render: { ...SETTINGS, ...change.render },
    policy: { ...STANDARD_POLICY, ...change.policy },
    limits: { ...STANDARD_LIMITS, ...change.limits },
    ...(change.slots === undefined ? {} : { slots: change.slots }),
  });
  return putSampleJob(gateway, job);
}

/** Options of a run in a state folder of its own. */
export async function childOptions(
  gateway: Pick<TestGateway, "url">,
  worker: TestWorker,
  change: Partial<ChildOptions> = {},
): Promise<ChildOptions> {
  return {
    slot: "a",
    jobId: null,
    gatewayUrl: gateway.url,
    allowInsecure: false,
    workerUuid: worker.workerUuid,
    token: worker.token,
    stateFolder: join(await temporaryFolder(), "state"),
    blender: fixtureBlender("honest"),
    threads: 1,
    allowScripts: false,
    trustScenes: true,
    drainOnly: false,
    maxWaitSeconds: 5,
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    ...change,
  };
}

/** `POST /q/claim` and the like of a run, as the client sent them. */
export function exchangesOf(): { seen: string[]; onExchange: NonNullable<ChildOptions["onExchange"]> } {
  const seen: string[] = [];
  return { seen, onExchange: (record) => void seen.push(record.route) };
}
