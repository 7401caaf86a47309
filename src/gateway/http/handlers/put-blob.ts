import { HandoffError } from "../../../core/error.ts";
import type { Blob } from "../../queue/upload.ts";
import { blobHeaders, digestHeader } from "../blob-headers.ts";
import { type Call, param } from "../call.ts";
import { streamed } from "../handler.ts";
import { takeBlob } from "../take-blob.ts";
import { uploadLease } from "../upload-lease.ts";

/** 201 for a new blob, 200 for one that was there. Two-phase; a worker's upload is under its lease. */
export const putBlob = streamed(async (call, source) => {
  const { blobBytes, metrics } = call.services;
  const blob: Blob = { sha256: param(call, "sha256"), bytes: announcedBytes(call) };
  call.note({ sha256: blob.sha256, bytes: blob.bytes });
  checkDigestHeader(call, blob.sha256);
  const lease = uploadLease(call);
  if (lease === null && blob.bytes > blobBytes)
    throw new HandoffError("blob_too_large", `At most ${blobBytes} bytes.`);
  const created = await takeBlob(call.services, { blob, source, lease });
  metrics.add("render_handoff_gateway_blob_bytes_total", { direction: "in" }, blob.bytes);
  return { kind: "empty", status: created ? 201 : 200, headers: blobHeaders(blob.sha256) };
});

function announcedBytes(call: Call): number {
  const [length] = call.headerValues("content-length");
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw new HandoffError("length_required");
  return Number(length);
}

/** A Content-Digest of the request, where it names SHA-256, must be that of the path (RFC 9530). */
function checkDigestHeader(call: Call, sha256: string): void {
  const stated = call.headerValues("content-digest").join(",");
  if (/(^|[,\s])sha-256=/.test(stated) && !stated.includes(digestHeader(sha256)))
    throw new HandoffError("blob_digest_mismatch", "Content-Digest differs from the path.");
}
