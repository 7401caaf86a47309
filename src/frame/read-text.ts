import type { Bytes } from "../core/bytes.ts";
import type { Chunk } from "./scan-chunks.ts";

const MOST_ENTRIES = 64;
const MOST_KEYWORD = 79;
const MOST_CHARACTERS = 1_024;

/**
 * Keyword and value of the tEXt chunks, as Latin-1; of one keyword the first. The words are those of
 * whoever made the file. The canonical form drops them, so nothing may be decided by them.
 */
export function readText(file: Bytes, chunks: readonly Chunk[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const chunk of chunks) {
    if (chunk.type !== "tEXt" || found.size === MOST_ENTRIES) continue;
    const data = file.read(chunk.start + 8, Math.min(chunk.length, MOST_KEYWORD + 1 + MOST_CHARACTERS));
    const end = data.indexOf(0);
    if (end < 1 || end > MOST_KEYWORD) continue;
    const keyword = data.toString("latin1", 0, end);
    if (!found.has(keyword)) found.set(keyword, data.toString("latin1", end + 1, end + 1 + MOST_CHARACTERS));
  }
  return Object.fromEntries(found);
}
