import { startSha256 } from "../../core/digest.ts";
import type { BlobName, BlobReader } from "../blobs/blob-store.ts";
import type { QueueReader } from "../queue/store.ts";
import type { Findings } from "./findings.ts";

/** A blob's bytes: there, in their size and, unless it is to be quick, with their digest. How many were read. */
export async function checkBlob(
  data: { store: QueueReader; blobs: BlobReader },
  blob: BlobName,
  { quick, findings }: { quick: boolean; findings: Findings },
): Promise<number> {
  const where = `blob ${blob.sha256}`;
  if (!(await data.blobs.has(blob))) {
    // removed since the page was read: no fault
    if ((await data.store.read((rows) => rows.blobBytes(blob.sha256))) !== null)
      findings.add("CHECK_BLOB_MISSING", where, { expected: blob.bytes });
    return 0;
  }
  if (quick) return 0;
  const hash = startSha256();
  const source = await data.blobs.read(blob.sha256, { first: 0, last: blob.bytes - 1 });
  for await (const chunk of source) hash.update(chunk);
  findings.same("CHECK_BLOB_SHA256", where, { expected: blob.sha256, actual: hash.digest("hex") });
  return blob.bytes;
}
