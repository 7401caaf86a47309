import { z } from "zod";
import { Sha256 } from "../names.ts";
import { BlenderVersion, Platform } from "./job.ts";

/** A user's own list of official archives: what `blender fetch` may install, by version and platform. */
export const BlenderPins = z.strictObject({
  schema: z.literal("render_handoff.blender_pins.v1"),
  pins: z
    .array(
      z.strictObject({
        version: BlenderVersion,
        platform: Platform,
        url: z.url().max(2_000).describe("the archive itself (tar); redirects are not followed"),
        sha256: Sha256.describe("of the archive"),
        bytes: z.int().min(1).max(8_589_934_592).describe("its size"),
      }),
    )
    .max(200),
});
export type BlenderPins = z.infer<typeof BlenderPins>;
export type BlenderPin = BlenderPins["pins"][number];
