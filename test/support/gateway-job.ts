import { type Job, STANDARD_LIMITS } from "../../contracts/documents/job.ts";
import { STANDARD_POLICY } from "../../contracts/documents/policy.ts";
import type { SlotResult } from "../../contracts/documents/slot-result.ts";
import type { Slot } from "../../contracts/flow.ts";
import { frameName, framesOf } from "../../contracts/names.ts";
import { sha256 } from "../../src/core/digest.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import type { TestGateway, TestWorker } from "./gateway.ts";

export const SCENE = Buffer.from("BLENDER-v304 no real scene");
export const BUNDLE = Buffer.from("no real bundle");

/** A job of frames 205-210 over SCENE. */
export const sampleJob = (change: Partial<Job> = {}): Job => ({
  schema: "render_handoff.job.v1",
  job_id: "shot-1",
  scene: {
    main: "scene.blend",
    files: [{ path: "scene.blend", sha256: sha256(SCENE), bytes: SCENE.byteLength }],
  },
  blender: { version: "3.4.1", executables: [{ platform: "linux-x64", sha256: sha256("blender") }] },
  render: {
    engine: "CYCLES",
    device: "CPU",
    width: 640,
    height: 360,
    output: { format: "PNG", color_mode: "RGBA", bit_depth: 8 },
    samples: 16,
    seed: 0,
    allow_scripts: false,
    extra: [],
  },
  slots: [
    { id: "a", first: 205, last: 207 },
    { id: "b", first: 208, last: 210 },
  ],
  sequence: null,
  policy: STANDARD_POLICY,
  limits: STANDARD_LIMITS,
  ...change,
});

/** A result of a slot that follows its schema; its frames and its bundle are not real. */
export function sampleResult(job: Job, slot: Slot, bundle: Buffer = BUNDLE): SlotResult {
  const range = job.slots.find((entry) => entry.id === slot) ?? job.slots[0];
  return {
    schema: "render_handoff.slot_result.v1",
    job_sha256: sha256(canonicalBytes(job)),
    slot,
    bundle: { sha256: sha256(bundle), bytes: bundle.byteLength },
    manifest_sha256: sha256("manifest"),
    frames: framesOf(range).map((frame) => ({
      frame,
      member: frameName(frame),
      bytes: 100,
      sha256: sha256(`frame ${frame}`),
      width: 640,
      height: 360,
      bit_depth: 8,
      color_type: 6,
      pixels: { algorithm: "png-rows-v1", sha256: sha256(`pixels ${frame}`) },
    })),
    render: { wall_ms: 1, peak_rss_bytes: 1, reused: false },
  };
}

/** Puts SCENE and the job as the administrator. */
export async function putSampleJob(gateway: TestGateway, job: Job = sampleJob()): Promise<Job> {
  const scene = await gateway.call(`/q/blob/${sha256(SCENE)}`, { method: "PUT", body: SCENE });
  const put = await gateway.call("/q/job", { method: "POST", body: canonicalBytes(job) });
  if (scene.status > 201 || put.status !== 201) throw new Error(`job: ${scene.code} ${put.code}`);
  return job;
}

/** Claims, uploads and submits a slot as a worker does; the fence, the body and the receipt. */
export async function winSlot(
  gateway: TestGateway,
  worker: TestWorker,
  { job, slot, key = "key-1" }: { job: Job; slot: Slot; key?: string },
): Promise<{ fence: number; body: Buffer; receipt: Buffer }> {
  const task_id = `${job.job_id}.${slot}`;
  const held = { task_id, worker_id: worker.workerUuid };
  const claimed = await gateway.call("/q/claim", { method: "POST", token: worker.token, body: held });
  const fence = Number(claimed.json()["fencing_token"]);
  const uploaded = await gateway.call(`/q/blob/${sha256(BUNDLE)}`, {
    method: "PUT",
    token: worker.token,
    headers: { "task-id": task_id, "fencing-token": String(fence) },
    body: BUNDLE,
  });
  const body = canonicalBytes({ ...held, fencing_token: fence, result: sampleResult(job, slot) });
  const headers = { "idempotency-key": key };
  const submitted = await gateway.call("/q/submit", { method: "POST", token: worker.token, headers, body });
  if (submitted.status !== 200) throw new Error(`slot: ${claimed.code} ${uploaded.code} ${submitted.code}`);
  return { fence, body, receipt: submitted.bytes };
}
