import type { ReadRows } from "../queue/store.ts";

/** Those of the workers and checkers whose tokens are revoked. */
export async function revokedAmong(
  rows: Pick<ReadRows, "worker" | "checker">,
  personUuids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const people = [...personUuids].map(async (uuid) => (await rows.worker(uuid)) ?? rows.checker(uuid));
  const revoked = new Set<string>();
  for (const person of await Promise.all(people)) {
    if (person === null || person.revokedAt === null) continue;
    revoked.add("workerUuid" in person ? person.workerUuid : person.checkerUuid);
  }
  return revoked;
}
