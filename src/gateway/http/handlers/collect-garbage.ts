import { CollectRequest } from "../../../../contracts/wire/upkeep.ts";
import { collectGarbage as collect } from "../../upkeep/collect.ts";
import { ok } from "../call.ts";
import { json } from "../handler.ts";

/** A part of the work; the answer's cursor says where the next call goes on. What it has to write has the reserve. */
export const collectGarbage = json(CollectRequest, async ({ services, note }, body) => {
  const { queue, blobs, clock, metrics, reserve } = services;
  const work = () => collect({ store: queue.store, blobs, clock }, body);
  const answer = await (body.dry_run ? work() : reserve.lend(work));
  note({ bytes: answer.blob_bytes + answer.stray_bytes, ...(body.dry_run ? { detail: "dry run" } : {}) });
  if (!body.dry_run) {
    metrics.add("render_handoff_gateway_removed_blobs_total", {}, answer.blobs + answer.strays);
    metrics.add(
      "render_handoff_gateway_removed_blob_bytes_total",
      {},
      answer.blob_bytes + answer.stray_bytes,
    );
  }
  return ok(answer);
});
