import type { CheckerRecord } from "../../../contracts/documents/records.ts";
import { type Clock, timestamp } from "../../core/clock.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { event } from "../queue/event.ts";
import type { CheckerRow } from "../queue/rows.ts";
import type { QueueStore } from "../queue/store.ts";
import { newToken } from "./token.ts";

/** Issues a checker's identity; the token is in this answer and nowhere else. */
export async function registerChecker(
  store: QueueStore,
  clock: Pick<Clock, "uuid">,
  name: string,
): Promise<{ checker_uuid: string; token: string }> {
  const token = newToken({ role: "checker" });
  const checkerUuid = `c_${clock.uuid()}`;
  await store.write(async (rows) =>
    rows.insertChecker({
      checkerUuid,
      name,
      tokenSha256: sha256(token),
      createdAt: await rows.now(),
      revokedAt: null,
    }),
  );
  return { checker_uuid: checkerUuid, token };
}

export async function listCheckers(store: QueueStore): Promise<CheckerRecord[]> {
  return (await store.read((rows) => rows.checkers())).map(checkerRecord);
}

/** Ends a checker's token. */
export async function revokeChecker(store: QueueStore, checkerUuid: string): Promise<CheckerRecord> {
  return store.write(async (rows) => {
    const at = await rows.now();
    await rows.revokeChecker(checkerUuid, at);
    const checker = await rows.checker(checkerUuid);
    if (checker === null) throw new HandoffError("worker_unknown", "There is no such checker.");
    const detail = { checker_uuid: checkerUuid };
    await rows.insertEvent(event({ at, kind: "checker_revoked", detail }));
    return checkerRecord(checker);
  });
}

const checkerRecord = (row: CheckerRow): CheckerRecord => ({
  schema: "render_handoff.checker_record.v1",
  checker_uuid: row.checkerUuid,
  name: row.name,
  created_at: timestamp(row.createdAt),
  revoked_at: row.revokedAt === null ? null : timestamp(row.revokedAt),
});
