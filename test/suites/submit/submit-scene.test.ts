import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { type SubmitOptions, submitScene } from "../../../src/submit/submit-scene.ts";
import { adminClient } from "../../support/admin-client.ts";
import { SETTINGS } from "../../support/blender.ts";
import { fixtureBlender } from "../../support/child.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { startGateway } from "../../support/gateway.ts";
import { temporaryFolder } from "../../support/temporary.ts";

async function options(change: Partial<SubmitOptions> = {}): Promise<SubmitOptions> {
  const gateway = await startGateway();
  const client = adminClient(gateway);
  const folder = await temporaryFolder();
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "shot.blend"), "BLENDER-v304 as it were");
  return {
    client,
    scene: join(folder, "shot.blend"),
    sceneRoot: null,
    frames: { first: 205, last: 210 },
    jobId: "shot",
    blender: fixtureBlender("honest"),
    versionsFolder: null,
    workFolder: join(folder, "work"),
    settings: {
      engine: null,
      size: null,
      samples: null,
      seed: null,
      device: "CPU",
      output: SETTINGS.output,
      allowScripts: false,
      extra: [],
    },
    policy: null,
    limits: { watchdog_seconds: 3 },
    allowMissing: false,
    trustScenes: true,
    signal: new AbortController().signal,
    clock: systemClock,
    ...change,
  };
}

test("a scene becomes a job with every value written out, and the same again changes nothing", async () => {
  const asked = await options();
  const first = await submitScene(asked);
  expect(first).toMatchObject({ created: true, jobSha256: sha256(canonicalBytes(first.job)) });
  expect(first.job.limits).toEqual({ ...STANDARD_LIMITS, watchdog_seconds: 3 });
  expect(first.job.render).toMatchObject({ engine: "CYCLES", width: 640, height: 360, samples: 16, seed: 0 });
  const stored = await asked.client.getJob("shot");
  expect(sha256(stored.value)).toBe(first.jobSha256);
  const uploads: string[] = [];
  const second = await submitScene({ ...asked, onUpload: (file) => uploads.push(file.path) });
  expect(second).toMatchObject({ created: false, jobSha256: first.jobSha256 });
  expect(uploads).toEqual([]);
});

test("another job under the same id is refused by the gateway", async () => {
  const asked = await options();
  await submitScene(asked);
  expect(await codeOfPromise(submitScene({ ...asked, frames: { first: 1, last: 2 } }))).toBe(
    "task_identity_conflict",
  );
});

test("a range that cannot be split makes no traffic and starts no Blender", async () => {
  const asked = await options({ frames: { first: 5, last: 5 }, blender: "/nonexistent" });
  expect(await codeOfPromise(submitScene(asked))).toBe("USAGE_FRAMES");
});

test("limits out of range are CLAIM_JOB_INVALID before anything is uploaded", async () => {
  const uploads: string[] = [];
  const asked = await options({ limits: { scene_bytes: 3 }, onUpload: (file) => uploads.push(file.path) });
  expect(await codeOfPromise(submitScene(asked))).toBe("CLAIM_JOB_INVALID");
  expect(uploads).toEqual([]);
});
