import { equalSecrets, sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import type { QueueStore } from "../queue/store.ts";
import { isToken } from "./token.ts";

export type Principal =
  | { readonly role: "administrator" }
  | { readonly role: "worker"; readonly workerUuid: string }
  | { readonly role: "checker"; readonly checkerUuid: string };

/** Who a token belongs to: unauthenticated when to nobody, worker_revoked when to someone revoked. */
export async function authenticate(
  store: QueueStore,
  adminTokenSha256: string,
  token: string | null,
): Promise<Principal> {
  if (token === null || !isToken(token)) throw new HandoffError("unauthenticated");
  const hash = sha256(token);
  if (equalSecrets(hash, adminTokenSha256)) return { role: "administrator" };
  return store.read(async (rows) => {
    const worker = await rows.workerByToken(hash);
    if (worker !== null && equalSecrets(hash, worker.tokenSha256)) {
      if (worker.revokedAt !== null) throw new HandoffError("worker_revoked");
      return { role: "worker", workerUuid: worker.workerUuid };
    }
    const checker = await rows.checkerByToken(hash);
    if (checker !== null && equalSecrets(hash, checker.tokenSha256)) {
      if (checker.revokedAt !== null) throw new HandoffError("worker_revoked", "It is a checker's token.");
      return { role: "checker", checkerUuid: checker.checkerUuid };
    }
    throw new HandoffError("unauthenticated");
  });
}
