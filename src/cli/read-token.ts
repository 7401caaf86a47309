import { stat } from "node:fs/promises";
import { TOKEN } from "../../contracts/patterns.ts";
import { HandoffError } from "../core/error.ts";
import { readCapped } from "../core/files/read-capped.ts";

/** A token comes from a file that nobody else can read, never from the environment: Blender could read that. */
export async function readToken(path: string): Promise<string> {
  const read = await readCapped(path, 4_096);
  if (!read.ok) throw new HandoffError("USAGE_TOKEN_FILE", `${path}: ${read.detail}.`);
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0)
    throw new HandoffError(
      "USAGE_TOKEN_FILE",
      `${path} has mode ${(mode & 0o777).toString(8)}; it must be 600.`,
    );
  const token = read.bytes.toString("latin1").trim();
  if (!TOKEN.test(token)) throw new HandoffError("USAGE_TOKEN_FILE", `${path} does not hold a token.`);
  return token;
}
