import { join } from "node:path";
import { z } from "zod";
import { BundleManifest } from "../../contracts/documents/bundle-manifest.ts";
import { SlotResult } from "../../contracts/documents/slot-result.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { writeDurable } from "../core/files/write-durable.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { readDocument } from "../core/json/read-document.ts";

/** What a render came to, without the lease under which it is handed in: it can be handed in again. */
const Rendered = z.strictObject({
  blender: BundleManifest.shape.blender,
  device: BundleManifest.shape.device,
  containment: BundleManifest.shape.containment,
  frames: BundleManifest.shape.frames,
  render: SlotResult.shape.render,
});
export type Rendered = z.infer<typeof Rendered>;

const NAME = "rendered.json";

export const writeRendered = (folder: string, rendered: Rendered): Promise<void> =>
  writeDurable(join(folder, NAME), canonicalBytes(rendered));

/** Null when the folder does not hold one. */
export async function readRendered(folder: string): Promise<Rendered | null> {
  const read = await readCapped(join(folder, NAME), LIMITS.submitBytes);
  const document = read.ok ? readDocument(Rendered, read.bytes) : null;
  return document?.ok ? document.value : null;
}
