import { join } from "node:path";
import type { BundleManifest } from "../../../contracts/documents/bundle-manifest.ts";
import type { SlotResult } from "../../../contracts/documents/slot-result.ts";
import { MANIFEST_NAME } from "../../../contracts/names.ts";
import type { SubmitRequest } from "../../../contracts/wire/queue.ts";
import { type NewMember, writeBundle } from "../../bundle/write.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError, systemCode } from "../../core/error.ts";
import { writeDurable } from "../../core/files/write-durable.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import { OUTBOX_FILES, type OutboxRow } from "../../gateway-client/outbox.ts";
import type { RunContext } from "../context.ts";
import type { Rendered } from "../rendered.ts";
import type { RunFolder } from "../run-folder.ts";
import type { Held } from "./claim.ts";

export const BUNDLE_NAME = OUTBOX_FILES.bundle;
export const BODY_NAME = OUTBOX_FILES.body;

/**
 * Writes bundle and body durably, then commits the outbox row that names them: from here on the work is
 * complete and survives this process. Throws BUNDLE_TOO_LARGE or BUNDLE_WRITE_FAILED.
 */
export async function bundle(
  run: RunContext,
  work: { held: Held; folder: RunFolder; rendered: Rendered },
): Promise<OutboxRow> {
  const { held, folder, rendered } = work;
  const manifest = canonicalBytes(manifestOf(run, held, rendered));
  const written = await writeBundle({
    path: join(folder.path, BUNDLE_NAME),
    members: membersOf(folder, rendered, manifest),
    maxBytes: held.job.limits.bundle_bytes,
  });
  const body = canonicalBytes({
    task_id: held.taskId,
    worker_id: run.options.workerUuid,
    fencing_token: held.fence,
    result: {
      schema: "render_handoff.slot_result.v1",
      job_sha256: held.task.job_sha256,
      slot: held.task.slot,
      bundle: written,
      manifest_sha256: sha256(manifest),
      frames: rendered.frames,
      render: rendered.render,
    } satisfies SlotResult,
  } satisfies SubmitRequest);
  await writeDurable(join(folder.path, BODY_NAME), body).catch((thrown: unknown) => {
    throw new HandoffError("BUNDLE_WRITE_FAILED", systemCode(thrown), { cause: thrown });
  });
  await run.options.faultPoint?.("after_bundle");
  const row = run.state.outbox.add({
    gateway_id: run.gatewayId,
    task_id: held.taskId,
    job_sha256: held.task.job_sha256,
    slot: held.task.slot,
    executable_sha256: held.machine.identity.sha256,
    fencing_token: held.fence,
    folder: folder.name,
    bundle_sha256: written.sha256,
    bundle_bytes: written.bytes,
    body_sha256: sha256(body),
  });
  run.report.bundleSha256 = written.sha256;
  run.state.jobs.record({ taskId: held.taskId, fence: held.fence, state: "bundled", reason: null });
  return row;
}

const manifestOf = (run: RunContext, held: Held, rendered: Rendered): BundleManifest => ({
  schema: "render_handoff.bundle_manifest.v1",
  job_id: held.task.job_id,
  job_sha256: held.task.job_sha256,
  slot: held.task.slot,
  task_id: held.taskId,
  task_version: held.version,
  worker_uuid: run.options.workerUuid,
  fencing_token: held.fence,
  blender: rendered.blender,
  device: rendered.device,
  containment: rendered.containment,
  frames: rendered.frames,
});

/** Sorted by name as the archive wants them: frames of five digits come before those of four. */
const membersOf = (folder: RunFolder, rendered: Rendered, manifest: Buffer): NewMember[] => [
  ...rendered.frames
    .map(({ member }) => member)
    .sort()
    .map((name) => ({ name, file: join(folder.frames, name) })),
  { name: MANIFEST_NAME, bytes: manifest },
];
