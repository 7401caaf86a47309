import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { extractMember, openBundleFile } from "../../bundle/read.ts";
import { sha256 } from "../../core/digest.ts";
import { systemCode } from "../../core/error.ts";
import { isAllocationFailure } from "../decode/allocation-failure.ts";
import type { LastLayout } from "../decode/last-layout.ts";
import type { DrawAnswer, DrawTask } from "./messages.ts";
import { decodeAgain } from "./second-decoder.ts";
import { secondDecoderBytes } from "./second-decoder-bytes.ts";
import { thumbnail } from "./thumbnail.ts";

/** What a drawing thread has for one frame after another. */
export interface DrawDesk {
  readonly layout: LastLayout;
  /** The most that one picture may take. */
  readonly memoryBytes: number;
}

/**
 * Takes a frame out of its bundle once more, writes it (where asked to) when it is the very one that was
 * verified, and draws it from pngjs's pixels, which must equal ours.
 */
export function drawFrame(task: DrawTask, { layout, memoryBytes }: DrawDesk): DrawAnswer {
  if (task.thumbnail !== null && secondDecoderBytes(task.spec) > memoryBytes)
    return { ended: "failed", detail: `a picture of ${task.member} takes more memory than there is` };
  const file = takeFrame(task, layout);
  if (typeof file === "string") return { ended: "failed", detail: file };
  const failure = task.target === null ? null : writeFrame(task.target, file);
  if (failure !== null) return { ended: "failed", detail: failure };
  if (task.thumbnail === null) return { ended: "written", thumbnail: null };
  try {
    const view = decodeAgain(file, task.spec);
    if (view.pixelsSha256 !== task.pixelsSha256) return { ended: "disagree", actual: view.pixelsSha256 };
    const { width, height, bitDepth } = task.spec;
    const source = { width, height, bitDepth, samples: view.samples };
    return { ended: "written", thumbnail: thumbnail(source, task.thumbnail) };
  } catch (thrown) {
    if (isAllocationFailure(thrown)) throw thrown;
    return { ended: "disagree", actual: thrown instanceof Error ? thrown.message : "no pixels" };
  }
}

/** The verified bytes, or why they cannot be had any more. */
function takeFrame(task: DrawTask, layout: LastLayout): Buffer | string {
  const opened = openBundleFile(task.path);
  if (!opened.ok) return opened.detail;
  try {
    const bundle = layout.read(opened, { members: task.members, caps: task.caps });
    const found = bundle.ok ? bundle.members.find((one) => one.name === task.member) : undefined;
    const member = found === undefined ? null : extractMember(opened.source, found);
    if (member?.ok !== true || sha256(member.bytes) !== task.sha256)
      return `${task.member} is not what was verified`;
    return member.bytes;
  } finally {
    opened.close();
  }
}

function writeFrame(path: string, bytes: Buffer): string | null {
  try {
    const descriptor = openSync(path, "wx", 0o644);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return null;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === undefined) throw thrown;
    return code;
  }
}
