import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { equalSecrets, sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { readCapped } from "../../core/files/read-capped.ts";
import { writeDurable } from "../../core/files/write-durable.ts";
import { TOKEN_FILE } from "../data-folder.ts";
import type { QueueStore } from "../queue/store.ts";
import { isToken, newToken } from "./token.ts";

/**
 * Hash of the administrator's token, which stands in `admin-token` (mode 0600) of the data folder and is
 * made at the first start. Throws USAGE_TOKEN_FILE when others can read the file or it holds no token.
 */
export const adminTokenHash = async (dataFolder: string): Promise<string> =>
  (await hashInFile(dataFolder)) ?? makeAdminToken(dataFolder);

/**
 * The same where several gateways share a store, which then keeps the hash: the first gateway makes the
 * token in its data folder, the others need no file. A file with another token is USAGE_TOKEN_FILE.
 */
export async function sharedAdminTokenHash(dataFolder: string, store: QueueStore): Promise<string> {
  const own = await hashInFile(dataFolder);
  const stored = await store.read((rows) => rows.meta("admin_token_sha256"));
  if (stored !== "" && own === null) return stored;
  const offered = own ?? (await makeAdminToken(dataFolder));
  const kept = await store.write(async (rows) => {
    await rows.putMeta("admin_token_sha256", offered);
    return rows.meta("admin_token_sha256");
  });
  if (equalSecrets(kept, offered)) return kept;
  // two gateways began at the same time, and the other one's token is the one that counts
  if (own === null) await rm(join(dataFolder, TOKEN_FILE));
  else throw new HandoffError("USAGE_TOKEN_FILE", "It is not the token of this store's administrator.");
  return kept;
}

/** Puts a new token into the folder; its hash. */
export async function makeAdminToken(dataFolder: string): Promise<string> {
  const token = newToken({ role: "administrator" });
  await writeDurable(join(dataFolder, TOKEN_FILE), `${token}\n`, { mode: 0o600 });
  return sha256(token);
}

/** Null when there is no file. */
async function hashInFile(dataFolder: string): Promise<string | null> {
  const path = join(dataFolder, TOKEN_FILE);
  const read = await readCapped(path, 200);
  if (!read.ok && read.why === "absent") return null;
  if (!read.ok) throw new HandoffError("USAGE_TOKEN_FILE", `${path}: ${read.detail}.`);
  const { mode } = await lstat(path);
  if ((mode & 0o077) !== 0) throw new HandoffError("USAGE_TOKEN_FILE", `${path} is readable by others.`);
  const token = read.bytes.toString("utf8").trim();
  if (!isToken(token) || !token.startsWith("rha_"))
    throw new HandoffError("USAGE_TOKEN_FILE", `${path} holds no administrator's token.`);
  return sha256(token);
}
