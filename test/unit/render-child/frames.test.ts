import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ListedFrame } from "../../../src/blender/list-output.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { keepFrame, recheckFrame, slotFrames } from "../../../src/render-child/frames.ts";
import { SETTINGS } from "../../support/blender.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { sampleJob } from "../../support/gateway-job.ts";
import { buildPng, GOOD_HEADER, pngChunk } from "../../support/png-build.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const JOB = sampleJob({ render: { ...SETTINGS, width: GOOD_HEADER.width, height: GOOD_HEADER.height } });

const listed = (bytes: Buffer): ListedFrame => ({
  frame: 205,
  name: "frame_0205.png",
  bytes: bytes.byteLength,
  read: () => Promise.resolve(bytes),
});
const stamped = (frame: string): Buffer => buildPng({ before: [pngChunk("tEXt", `Frame\0${frame}`)] });

test("the frames of a slot are an explicit list", () => {
  expect(slotFrames(JOB, "b")).toEqual([208, 209, 210]);
});

test("a frame is kept without its text, and its entry tells the kept bytes", async () => {
  const folder = await temporaryFolder();
  const entry = await keepFrame(JOB, listed(stamped("205")), { folder });
  const kept = readFileSync(join(folder, "frame_0205.png"));
  expect(kept.equals(buildPng())).toBe(true);
  expect(entry).toMatchObject({ frame: 205, bytes: kept.byteLength, sha256: sha256(kept), color_type: 6 });
  expect((await recheckFrame(JOB, folder, entry))?.equals(kept)).toBe(true);
});

test("a frame that Blender stamped with another number is RENDER_FRAME_INVALID", async () => {
  const folder = await temporaryFolder();
  expect(await codeOfPromise(keepFrame(JOB, listed(stamped("206")), { folder }))).toBe(
    "RENDER_FRAME_INVALID",
  );
  expect(await codeOfPromise(keepFrame(JOB, listed(stamped("0205")), { folder }))).toBeNull();
});

test.each([
  "Camera",
  "Date",
  "File",
  "FrameRange",
  "Hostname",
  "Lens",
  "Marker",
  "Memory",
  "Note",
  "RenderTime",
  "Scene",
  "Strip",
  "Time",
])("a frame with the stamp %s, which is turned off, is RENDER_FRAME_INVALID", async (stamp) => {
  const foreign = buildPng({ before: [pngChunk("tEXt", `${stamp}\0Other`)] });
  const kept = keepFrame(JOB, listed(foreign), { folder: await temporaryFolder() });
  expect(await codeOfPromise(kept)).toBe("RENDER_FRAME_INVALID");
});

test("a frame of another size, and bytes that are no picture, are RENDER_FRAME_INVALID", async () => {
  const folder = await temporaryFolder();
  const wide = { ...JOB, render: { ...JOB.render, width: 8 } };
  expect(await codeOfPromise(keepFrame(wide, listed(buildPng()), { folder }))).toBe("RENDER_FRAME_INVALID");
  expect(await codeOfPromise(keepFrame(JOB, listed(Buffer.from("JFIF")), { folder }))).toBe(
    "RENDER_FRAME_INVALID",
  );
});

test("a kept frame that changed on the disk is not used again", async () => {
  const folder = await temporaryFolder();
  const entry = await keepFrame(JOB, listed(buildPng()), { folder });
  writeFileSync(join(folder, entry.member), stamped("205"));
  expect(await recheckFrame(JOB, folder, entry)).toBeNull();
});
