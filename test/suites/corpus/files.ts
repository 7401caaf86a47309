import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

/** Public test files, gathered beside the project; their origins stand in SOURCES.md there. */
export const CORPUS = join(import.meta.dirname, "../../../../shared/corpus");
export const corpusIsHere = existsSync(CORPUS);
if (!corpusIsHere) console.log(`corpus: no folder ${CORPUS}, so its files are not tried`);

/** Every file, as paths from the corpus's root. */
export const corpusFiles = (): string[] =>
  readdirSync(CORPUS, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(CORPUS, join(one.parentPath, one.name)))
    .sort();
