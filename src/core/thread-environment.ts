import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** All that a thread is given of this process's environment: where compiled code is kept, if it is. */
export function threadEnvironment(): { NODE_COMPILE_CACHE?: string } {
  // Node.js makes a folder of its version below the one that it is told
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
