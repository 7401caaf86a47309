import { join } from "node:path";
import { expect, it } from "vitest";
import { LastLayout } from "../../../src/join/decode/last-layout.ts";
import { drawFrame } from "../../../src/join/draw/draw-frame.ts";

it("a picture that takes more memory than there is is not drawn, and its bundle not even opened", () => {
  const spec = { width: 16_384, height: 16_384, bitDepth: 8, colorType: 6 } as const;
  const task = {
    path: join(import.meta.dirname, "absent.zip"),
    members: [],
    caps: { bundleBytes: 1, memberBytes: 1, totalBytes: 1 },
    member: "frame_0001.png",
    spec,
    sha256: "",
    pixelsSha256: "",
    target: null,
    thumbnail: { width: 16, height: 16 },
  };
  const asked = (memoryBytes: number) => drawFrame(task, { layout: new LastLayout(), memoryBytes });
  expect(asked(4 * 2 ** 30)).toEqual({ ended: "failed", detail: "ENOENT" });
  expect(asked(4 * 2 ** 30 - 1)).toMatchObject({
    ended: "failed",
    detail: expect.stringContaining("memory"),
  });
});
