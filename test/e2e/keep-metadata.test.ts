import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEPT_KEYWORDS } from "../../contracts/documents/frame-metadata.ts";
import { listOutput } from "../../src/blender/list-output.ts";
import { renderFrames } from "../../src/blender/render.ts";
import { keepFrame } from "../../src/render-child/frames.ts";
import { readMetadata } from "../../src/render-child/metadata.ts";
import { attempt, realBlender, SETTINGS } from "../support/blender.ts";
import { sampleJob } from "../support/gateway-job.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { sceneVariants } from "./blender/variants.ts";

const variant = sceneVariants();
const WISH = { keywords: KEPT_KEYWORDS, folder: "/nowhere", hostNames: [] };

async function keptFrame(stamps: typeof KEPT_KEYWORDS | []) {
  const sceneFolder = variant("plain");
  const options = await attempt(await realBlender(), { sceneFolder, frames: [205], stamps });
  expect(await renderFrames(options)).toMatchObject({ reason: null });
  const listed = await listOutput({ folder: options.outputFolder, frames: [205], frameBytes: 10_000_000 });
  const folder = await temporaryFolder();
  let text = {};
  const onText = (found: Record<string, string>): void => {
    text = found;
  };
  const job = sampleJob({ render: SETTINGS });
  for (const one of listed) await keepFrame(job, one, { folder, stamps, onText });
  return { text, bytes: readFileSync(join(folder, "frame_0205.png")) };
}

test("Blender writes every keyword that may be kept in the form that is kept, and the canonical frame is the same", async () => {
  const stamped = await keptFrame(KEPT_KEYWORDS);
  const { text, withheld } = readMetadata(WISH, 205, stamped.text);
  expect(withheld).toEqual([]);
  expect(Object.keys(text).sort()).toEqual([...KEPT_KEYWORDS].sort());
  expect(text).toMatchObject({ Frame: "205", Scene: "Scene" });
  const plain = await keptFrame([]);
  expect(Object.keys(readMetadata(WISH, 205, plain.text).text)).toEqual(["Frame"]);
  expect(stamped.bytes.equals(plain.bytes)).toBe(true);
});
