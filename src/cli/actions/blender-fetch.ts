import { join } from "node:path";
import { BlenderPins } from "../../../contracts/documents/blender-pins.ts";
import { fetchBlender } from "../../blender/fetch/fetch-blender.ts";
import { HandoffError } from "../../core/error.ts";
import { readCapped } from "../../core/files/read-capped.ts";
import { readDocument } from "../../core/json/read-document.ts";
import type { CliContext } from "../context.ts";
import type { BlenderFetchFlags } from "../flags/blender.ts";
import { stateHome } from "../state-home.ts";

const PINS_BYTES = 1024 * 1024;

/** Installs a version and tells the executable with the digest that jobs pin. */
export async function blenderFetch(call: {
  version: string;
  flags: BlenderFetchFlags;
  context: CliContext;
}): Promise<void> {
  const { version, flags, context } = call;
  const { identity, installed } = await fetchBlender({
    pins: await readPins(flags.pins),
    version,
    folder: flags.into ?? join(stateHome(context), "blenders"),
    signal: context.signal,
    clock: context.clock,
  });
  const { path, sha256 } = identity;
  context.out(
    flags.json
      ? `${JSON.stringify({ version, path, sha256, installed })}\n`
      : `${path}\nsha256 ${sha256}${installed ? "" : "  (was there already)"}\n`,
  );
}

async function readPins(path: string): Promise<BlenderPins> {
  const read = await readCapped(path, PINS_BYTES);
  if (!read.ok) throw new HandoffError("USAGE_FILE_UNREADABLE", `It is ${path}: ${read.detail}.`);
  const document = readDocument(BlenderPins, read.bytes, { bytes: PINS_BYTES });
  if (document.ok) return document.value;
  throw new HandoffError("USAGE_FILE_INVALID", `It is ${path}${document.path}: ${document.problem}.`);
}
