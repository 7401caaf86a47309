import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { readCapped } from "../../core/files/read-capped.ts";
import { writeDurable } from "../../core/files/write-durable.ts";
import { isToken, newToken } from "./token.ts";

/**
 * Hash of the administrator's token, which stands in `admin-token` (mode 0600) of the data folder and is
 * made at the first start. Throws USAGE_TOKEN_FILE when others can read the file or it holds no token.
 */
export async function adminTokenHash(dataFolder: string): Promise<string> {
  const path = join(dataFolder, "admin-token");
  const read = await readCapped(path, 200);
  if (!read.ok && read.why === "absent") {
    const token = newToken({ role: "administrator" });
    await writeDurable(path, `${token}\n`, 0o600);
    return sha256(token);
  }
  if (!read.ok) throw new HandoffError("USAGE_TOKEN_FILE", `${path}: ${read.detail}.`);
  const { mode } = await lstat(path);
  if ((mode & 0o077) !== 0) throw new HandoffError("USAGE_TOKEN_FILE", `${path} is readable by others.`);
  const token = read.bytes.toString("utf8").trim();
  if (!isToken(token) || !token.startsWith("rha_"))
    throw new HandoffError("USAGE_TOKEN_FILE", `${path} holds no administrator's token.`);
  return sha256(token);
}
