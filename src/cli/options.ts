import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import type { KeptKeyword } from "../../contracts/documents/frame-metadata.ts";
import { KEPT_KEYWORDS } from "../../contracts/kept-keywords.ts";
import { SHA256_HEX } from "../../contracts/patterns.ts";

/** Flags that more than one command has, each defined once. */
export const options = {
  json: () => new Option("--json", "print exactly one JSON document on stdout"),
  gateway: () => new Option("--gateway <url>", "the gateway's URL").env("RENDER_HANDOFF_GATEWAY"),
  data: () =>
    new Option("--data <dir>", "the gateway's data folder on this machine")
      .env("RENDER_HANDOFF_DATA")
      .argParser(path),
  store: () =>
    new Option("--store <url>", "postgres://user@host/database instead of SQLite in the data folder")
      .env("RENDER_HANDOFF_STORE")
      .argParser(urlOf(["postgres:", "postgresql:"])),
  blobs: () =>
    new Option("--blobs <url>", "s3://bucket/prefix instead of files in the data folder")
      .env("RENDER_HANDOFF_BLOBS")
      .argParser(urlOf(["s3:"])),
  tokenFile: () =>
    new Option("--token-file <file>", "file of mode 0600 that holds the token")
      .env("RENDER_HANDOFF_TOKEN_FILE")
      .argParser(path),
  adminTokenFile: () =>
    new Option("--admin-token-file <file>", "file that holds an administrator's token")
      .env("RENDER_HANDOFF_ADMIN_TOKEN_FILE")
      .argParser(path),
  allowInsecure: () =>
    new Option("--allow-insecure", "allow http:// to another machine: the token goes in clear text"),
  blender: () =>
    new Option("--blender <path>", "the Blender to run").env("RENDER_HANDOFF_BLENDER").argParser(path),
  trustScenes: () =>
    new Option("--trust-scenes", "render without bubblewrap: only for scenes that you made yourself"),
  threads: () => new Option("--threads <n>", "render threads (0: all)").argParser(integer(0, 1_024)),
  metricsFile: () =>
    new Option(
      "--metrics-file <file>",
      "figures of this run for node_exporter's textfile collector, as in DIR/render-child-a.prom",
    )
      .env("RENDER_HANDOFF_METRICS_FILE")
      .argParser(path),
  keepMetadata: () =>
    new Option(
      "--keep-metadata <keywords>",
      `keep text of the frames on this machine: some of ${KEPT_KEYWORDS.join(",")}`,
    ).argParser(keywords),
  metadataFolder: () =>
    new Option("--metadata-folder <dir>", "where to (default: metadata in the state folder)").argParser(path),
  frames: () => new Option("--frames <first-last>", "frame range, split into two slots").argParser(frames),
  expectJob: () =>
    new Option("--expect-job <sha256>", "anchor: the job's digest as the checker knows it").argParser(digest),
  expectGateway: () =>
    new Option("--expect-gateway <id>", "anchor: the gateway's id as the checker knows it"),
} as const;

export function path(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  return resolve(value);
}

export const urlOf =
  (protocols: readonly string[]) =>
  (value: string): string => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new InvalidArgumentError(`Not a URL that begins with ${protocols[0]}//`);
    return value;
  };

export const integer =
  (least: number, most: number) =>
  (value: string): number => {
    const number = /^(0|[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(`Not a whole number from ${least} to ${most}.`);
    return number;
  };

/** One of some numbers. To be given after `choices`, whose own parser it takes the place of. */
export const among =
  <Choice extends number>(numbers: readonly Choice[]) =>
  (value: string): Choice => {
    const chosen = numbers.find((one) => String(one) === value);
    if (chosen === undefined) throw new InvalidArgumentError(`Allowed choices are ${numbers.join(", ")}.`);
    return chosen;
  };

/** `RenderTime,Camera`: each a keyword that may be kept. */
function keywords(value: string): KeptKeyword[] {
  const known = (word: string): KeptKeyword => {
    const keyword = KEPT_KEYWORDS.find((one) => one === word);
    if (keyword === undefined) throw new InvalidArgumentError(`Each is one of ${KEPT_KEYWORDS.join(", ")}.`);
    return keyword;
  };
  return [...new Set(value.split(",").map(known))];
}

export interface FrameRange {
  readonly first: number;
  readonly last: number;
}

/** `205-210`. That it can be split is checked by submit (USAGE_FRAMES). */
export function frames(value: string): FrameRange {
  const match = /^(\d{1,7})-(\d{1,7})$/.exec(value);
  if (match === null) throw new InvalidArgumentError("Not of the form FIRST-LAST, as in 205-210.");
  return { first: Number(match[1]), last: Number(match[2]) };
}

export function size(value: string): { width: number; height: number } {
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(value);
  if (match === null) throw new InvalidArgumentError("Not of the form WIDTHxHEIGHT, as in 640x360.");
  return { width: Number(match[1]), height: Number(match[2]) };
}

function digest(value: string): string {
  if (!SHA256_HEX.test(value)) throw new InvalidArgumentError("Not 64 lower-case hexadecimal digits.");
  return value;
}
