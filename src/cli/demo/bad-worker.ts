import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BundleManifest } from "../../../contracts/documents/bundle-manifest.ts";
import type { FrameEntry } from "../../../contracts/documents/frame-entry.ts";
import { Job } from "../../../contracts/documents/job.ts";
import type { SlotResult } from "../../../contracts/documents/slot-result.ts";
import { MANIFEST_NAME, slotTaskId } from "../../../contracts/names.ts";
import type { ClaimAnswer, SubmitRequest } from "../../../contracts/wire/queue.ts";
import { writeBundle } from "../../bundle/write.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { readDocument } from "../../core/json/read-document.ts";
import { type Half, type HalfWork, renderHalf } from "./render-half.ts";

export interface BadHandIn {
  readonly frame: number;
  readonly fence: number;
}

/**
 * A worker that is none of ours: it renders for real, loses the second half of its middle frame, and hands all
 * of it in with digests of what it hands in, so that nothing but the picture itself gives it away.
 */
export async function handInBadFrame(work: HalfWork): Promise<BadHandIn> {
  const { client, slot, workerUuid } = work;
  const { value: bytes } = await client.getJob(work.jobId);
  const job = readDocument(Job, bytes);
  if (!job.ok) throw new HandoffError("GATEWAY_RESPONSE_INVALID", "The job cannot be read.");
  const taskId = slotTaskId(work.jobId, slot);
  const { value: lease } = await client.claim({ task_id: taskId, worker_id: workerUuid }, null);
  const over = new AbortController();
  const beating = keepLease(work, lease, over.signal);
  try {
    const rendered = await renderHalf(work, job.value);
    const { frame, frames, members } = spoilt(rendered.frames, await readAll(work.folder, rendered.frames));
    await handIn(work, lease, {
      job: job.value,
      jobSha256: sha256(bytes),
      rendered: { ...rendered, frames },
      members,
    });
    return { frame, fence: lease.fencing_token };
  } finally {
    over.abort();
    await beating;
  }
}

const readAll = (folder: string, frames: readonly FrameEntry[]): Promise<Buffer[]> =>
  Promise.all(frames.map((one) => readFile(join(folder, "frames", one.member))));

/** The middle frame without its second half, and an entry that says just that. */
function spoilt(entries: readonly FrameEntry[], files: readonly Buffer[]) {
  const middle = Math.floor(entries.length / 2);
  const members = files.map((bytes, index) =>
    index === middle ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes,
  );
  const frames = entries.map((entry, index) => {
    const bytes = members[index] ?? Buffer.alloc(0);
    return { ...entry, bytes: bytes.byteLength, sha256: sha256(bytes) };
  });
  return { frame: entries[middle]?.frame ?? 0, frames, members };
}

interface Goods {
  readonly job: Job;
  readonly jobSha256: string;
  readonly rendered: Half;
  readonly members: readonly Buffer[];
}

async function handIn(work: HalfWork, lease: ClaimAnswer, goods: Goods): Promise<void> {
  const { job, jobSha256: job_sha256, rendered, members } = goods;
  const { client, folder, slot, workerUuid, clock } = work;
  const frames = [...rendered.frames];
  const held = { task_id: lease.task_id, fencing_token: lease.fencing_token };
  const manifest = canonicalBytes({
    schema: "render_handoff.bundle_manifest.v1",
    job_id: job.job_id,
    job_sha256,
    slot,
    ...held,
    task_version: lease.version,
    worker_uuid: workerUuid,
    blender: {
      version: rendered.identity.version,
      build_hash: rendered.facts.build_hash,
      executable_sha256: rendered.identity.sha256,
      platform: rendered.identity.platform,
    },
    device: rendered.facts.device,
    containment: rendered.containment,
    frames,
  } satisfies BundleManifest);
  const path = join(folder, "bundle.zip");
  const named = frames.map((one, index) => ({ name: one.member, bytes: members[index] ?? Buffer.alloc(0) }));
  const sorted = named.sort((left, right) => (left.name < right.name ? -1 : 1));
  const bundle = await writeBundle({
    path,
    members: [...sorted, { name: MANIFEST_NAME, bytes: manifest }],
    maxBytes: job.limits.bundle_bytes,
  });
  await client.putBlob({ path, ...bundle, lease: { taskId: lease.task_id, fence: lease.fencing_token } });
  const body = canonicalBytes({
    ...held,
    worker_id: workerUuid,
    result: {
      schema: "render_handoff.slot_result.v1",
      job_sha256,
      slot,
      bundle,
      manifest_sha256: sha256(manifest),
      frames,
      render: { wall_ms: 1, peak_rss_bytes: 1, reused: false },
    } satisfies SlotResult,
  } satisfies SubmitRequest);
  await client.submit(body, clock.uuid());
}

/** Heartbeats until the work is over; one that fails shows when the work is handed in. */
async function keepLease(work: HalfWork, lease: ClaimAnswer, over: AbortSignal): Promise<void> {
  const { client, clock, workerUuid } = work;
  const held = { task_id: lease.task_id, worker_id: workerUuid, fencing_token: lease.fencing_token };
  for (;;) {
    await clock.sleep((lease.lease_seconds * 1_000) / 3, over).catch(() => {});
    if (over.aborted) return;
    await client.heartbeat({ ...held, progress: null }).catch(() => {});
  }
}
