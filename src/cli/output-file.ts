import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HandoffError, systemCode } from "../core/error.ts";
import { writeDurable } from "../core/files/write-durable.ts";

/** Said before any work: a file that was asked for could not be written there. Throws USAGE_FOLDER_UNWRITABLE. */
export async function refuseUnwritable(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const folder = dirname(path);
  await access(folder, constants.W_OK).catch((thrown: unknown) => {
    throw new HandoffError("USAGE_FOLDER_UNWRITABLE", `${folder}: ${systemCode(thrown) ?? "unusable"}.`, {
      cause: thrown,
    });
  });
  if ((await stat(path).catch(() => null))?.isDirectory() === true)
    throw new HandoffError("USAGE_FOLDER_UNWRITABLE", `${path} is a folder, and no file can take its name.`);
}

type Named = Readonly<Record<string, string | undefined>>;

/** An output that would take the place of another one, or of something that is read. Throws USAGE_ARGUMENT. */
export async function refuseSameFile(outputs: Named, inputs: Named): Promise<void> {
  const seen = new Map<string, string>();
  for (const [flag, path] of [...Object.entries(inputs), ...Object.entries(outputs)]) {
    if (path === undefined) continue;
    const real = await realPath(path);
    const other = seen.get(real);
    if (other !== undefined && flag in outputs)
      throw new HandoffError("USAGE_ARGUMENT", `${other} and ${flag} both name ${path}.`);
    seen.set(real, flag);
  }
}

/** Through links, as far as there is something. */
const realPath = (path: string): Promise<string> =>
  realpath(path).catch(async () =>
    join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)),
  );

/** Writes a file that was asked for. `more` is said where that fails: OUTPUT_WRITE_FAILED. */
export async function writeOutput(
  path: string,
  content: string,
  { mode = 0o644, more = "" }: { readonly mode?: number; readonly more?: string } = {},
): Promise<void> {
  await writeDurable(path, content, { mode }).catch((thrown: unknown) => {
    throw outputFailed(path, thrown, more);
  });
}

export const outputFailed = (path: string, thrown: unknown, more = ""): HandoffError =>
  new HandoffError("OUTPUT_WRITE_FAILED", `${path}: ${systemCode(thrown) ?? "unusable"}.${more}`, {
    cause: thrown,
  });
