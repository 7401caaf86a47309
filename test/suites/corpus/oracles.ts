import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sha256 } from "../../../src/core/digest.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const run = promisify(execFile);
const LARGE = { maxBuffer: 1 << 26 };
const here = import.meta.dirname;

export interface LibpngOpinion {
  /** "ok", "warning" or "error". */
  readonly verdict: string;
  readonly says: string;
  /** `png-rows-v1` of what libpng decoded; null where it did not. */
  readonly pixelsSha256: string | null;
}

/** libpng, as Debian has it, decodes every file whole; the program is built for this run. */
export async function askLibpng(paths: readonly string[]): Promise<LibpngOpinion[]> {
  const folder = await temporaryFolder();
  const program = join(folder, "libpng_rows");
  await run("gcc", [
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-o",
    program,
    join(here, "libpng_rows.c"),
    "-lpng",
  ]);
  const out = (index: number): string => join(folder, `${index}`);
  const { stdout } = await run(
    program,
    paths.flatMap((path, index) => [path, out(index)]),
    LARGE,
  );
  const lines = stdout.trimEnd().split("\n");
  return Promise.all(
    paths.map(async (_path, index) => {
      const says = lines[index] ?? "error no answer";
      const verdict = says.split(" ")[0] ?? "";
      const pixelsSha256 = verdict === "error" ? null : sha256(await readFile(out(index)));
      return { verdict, says, pixelsSha256 };
    }),
  );
}

/** "ok" or "error" for each file. */
export async function askPngcheck(paths: readonly string[]): Promise<string[]> {
  const { stdout } = await run("pngcheck", [...paths], LARGE).catch(
    (failed: { stdout: string }) => failed, // its exit code says that some are bad
  );
  const lines = new Set(stdout.split("\n").map((line) => line.replace(/^OK: (.*) \([^()]*\)\.$/, "OK: $1")));
  return paths.map((path) => {
    if (lines.has(`ERROR: ${path}`)) return "error";
    return lines.has(`OK: ${path}`) ? "ok" : "error";
  });
}

/** "ok" or "error" for each archive, by Python's zipfile. */
export async function askZipfile(paths: readonly string[]): Promise<string[]> {
  const { stdout } = await run("python3", [join(here, "zipfile_opinion.py"), ...paths], LARGE);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
}
