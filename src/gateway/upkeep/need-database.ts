import { stat } from "node:fs/promises";
import { join } from "node:path";
import { HandoffError } from "../../core/error.ts";
import { DATABASE_FILE } from "../data-folder.ts";

/** The path of a folder's database, which must be there already: GATEWAY_DATA_INVALID. */
export async function needDatabase(dataFolder: string): Promise<string> {
  const path = join(dataFolder, DATABASE_FILE);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true)
    throw new HandoffError("GATEWAY_DATA_INVALID", `${dataFolder} holds no ${DATABASE_FILE}.`);
  return path;
}
