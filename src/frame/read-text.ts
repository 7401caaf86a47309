import { type Chunk, dataOf } from "./scan-chunks.ts";

const MOST_ENTRIES = 64;
const MOST_CHARACTERS = 1_024;

/**
 * Keyword and value of the tEXt chunks, as Latin-1; of one keyword the first. The words are those of
 * whoever made the file. The canonical form drops them, so nothing may be decided by them.
 */
export function readText(file: Buffer, chunks: readonly Chunk[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const chunk of chunks) {
    if (chunk.type !== "tEXt" || found.size === MOST_ENTRIES) continue;
    const data = dataOf(file, chunk);
    const end = data.indexOf(0);
    if (end < 1 || end > 79) continue;
    const keyword = data.toString("latin1", 0, end);
    if (!found.has(keyword)) found.set(keyword, data.toString("latin1", end + 1, end + 1 + MOST_CHARACTERS));
  }
  return Object.fromEntries(found);
}
