import { workerOfToken } from "../../contracts/patterns.ts";
import { HandoffError } from "../core/error.ts";
import { readToken } from "./read-token.ts";

/** A worker's token and the id that it carries. Throws USAGE_TOKEN_FILE. */
export async function workerOf(tokenFile: string): Promise<{ token: string; workerUuid: string }> {
  const token = await readToken(tokenFile);
  const workerUuid = workerOfToken(token);
  if (workerUuid === null)
    throw new HandoffError("USAGE_TOKEN_FILE", `${tokenFile} holds no worker's token.`);
  return { token, workerUuid };
}
