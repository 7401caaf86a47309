import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FrameMetadata, KeptKeyword } from "../../contracts/documents/frame-metadata.ts";
import { writeDurable } from "../core/files/write-durable.ts";
import { canonicalBytes } from "../core/json/canonical.ts";

/** What a worker wants to keep of the text that the canonical form drops. */
export interface MetadataWish {
  readonly keywords: readonly KeptKeyword[];
  /** Absolute. */
  readonly folder: string;
  /** Names of this machine: no value that holds one is kept. */
  readonly hostNames: readonly string[];
}

type FrameText = FrameMetadata["frames"][number];

// Names are the scene's: no separator, nothing invisible, and no dot before a letter, which makes a file's or a host's name.
const NAME = /^(?!.*\.\p{L})(?!.*\d\.\d+\.\d)[\p{L}\p{N} _.+()#-]{1,64}$/u;
const FORMS: Readonly<Record<KeptKeyword, RegExp>> = {
  Camera: NAME,
  Frame: /^\d{1,7}$/,
  FrameRange: /^-?\d{1,7}:-?\d{1,7}$/,
  Lens: /^\d{1,6}\.\d{2}$/,
  Memory: /^\d{1,9}\.\d{2}M$/,
  RenderTime: /^(\d{1,6}:)?\d{2}:\d{2}\.\d{2}$/,
  Scene: NAME,
  Time: /^-?\d{2,6}([:;.]\d{2,3}){1,3}$/,
};

/** The wanted part of a frame's text, which is whatever its maker wrote: a value of another form is withheld. */
export function readMetadata(
  wish: MetadataWish,
  frame: number,
  text: Readonly<Record<string, string>>,
): FrameText {
  const kept: FrameText = { frame, text: {}, withheld: [] };
  for (const keyword of wish.keywords) {
    const raw = Object.hasOwn(text, keyword) ? text[keyword] : undefined;
    if (raw === undefined) continue;
    const value = Buffer.from(raw, "latin1").toString("utf8");
    if (FORMS[keyword].test(value) && !namesHost(value, wish.hostNames)) kept.text[keyword] = value;
    else kept.withheld.push(keyword);
  }
  return kept;
}

const namesHost = (value: string, hostNames: readonly string[]): boolean =>
  hostNames.some((name) => name !== "" && value.toLowerCase().includes(name.toLowerCase()));

/** Writes `<task_id>.<fence>.json` into the wished folder, for the owner alone. Rejects with the system's error. */
export async function writeMetadata(wish: MetadataWish, document: FrameMetadata): Promise<void> {
  await mkdir(wish.folder, { recursive: true, mode: 0o700 });
  const name = `${document.task_id}.${document.fencing_token}.json`;
  await writeDurable(join(wish.folder, name), canonicalBytes(document), { mode: 0o600 });
}
