import type { ObjectEnvelope } from "../../../contracts/documents/object.ts";
import type { VerdictEnvelope } from "../../../contracts/documents/verdict.ts";
import { timestamp } from "../../core/clock.ts";
import { sha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { readStored } from "./payload.ts";
import type { Queue } from "./queue.ts";
import { verdictEnvelope } from "./read-verdict.ts";
import type { ObjectRow } from "./rows.ts";
import type { ReadRows } from "./store.ts";

export interface ObjectQuery {
  readonly key: string;
  readonly version: number | null;
  readonly sha256: string | null;
  readonly reader: string | null;
}

/** The envelope of an object: the latest version, or the one asked for by number or digest. */
export async function readObject(
  queue: Queue,
  query: ObjectQuery,
): Promise<ObjectEnvelope | VerdictEnvelope> {
  return queue.store.read(async (rows) => {
    const versions = await rows.objectVersions(query.key);
    const [newest] = versions;
    if (newest === undefined) return readVerdict(rows, query);
    const found = versions.find(
      (object) =>
        (query.version === null || object.version === query.version) &&
        (query.sha256 === null || object.sha256 === query.sha256),
    );
    if (found === undefined) throw new HandoffError("object_version_unknown");
    if (query.reader !== null && found.workerId !== query.reader)
      throw new HandoffError("role_forbidden", "The object is another worker's.");
    return envelope(found, { versionCount: newest.version, gatewayId: await rows.meta("gateway_id") });
  });
}

async function readVerdict(rows: ReadRows, query: ObjectQuery): Promise<VerdictEnvelope> {
  const found = await rows.verdict(query.key, query.version, query.sha256);
  if (found === null) {
    const any = await rows.verdict(query.key, null, null);
    throw new HandoffError(any === null ? "object_unknown" : "object_version_unknown");
  }
  if (query.reader !== null) throw new HandoffError("role_forbidden", "The object is a checker's.");
  return verdictEnvelope(rows, found);
}

/** The digest is computed over the stored payload at every read; what it says then is the status. */
function envelope(
  object: ObjectRow,
  { versionCount, gatewayId }: { versionCount: number; gatewayId: string },
): ObjectEnvelope {
  const verified = sha256(object.payload) === object.sha256;
  const payload = readStored(object.payload);
  return {
    schema: "render_handoff.object.v1",
    object_key: object.key,
    version_num: object.version,
    version_count: versionCount,
    category: "render_slot_result",
    producer_agent: object.producer,
    worker_uuid: object.workerId,
    source_task_id: object.taskId,
    sha256_hash: object.sha256,
    payload_hash_mode: "payload_sha256",
    payload_sha256_verified: verified,
    payload_json_valid: payload !== undefined,
    integrity_status: verified && payload !== undefined ? "verified" : "corrupt",
    total_payload_bytes: Buffer.byteLength(object.payload, "utf8"),
    created_at: timestamp(object.createdAt),
    payload: payload ?? null,
    built_on_edges: [],
    gateway_id: gatewayId,
    fencing_token: object.fence,
    receipt_sha256: object.receiptSha256,
  };
}
