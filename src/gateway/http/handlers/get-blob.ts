import { HEADERS } from "../../../../contracts/routes.ts";
import { HandoffError } from "../../../core/error.ts";
import { findBlob } from "../../queue/find-blob.ts";
import { blobHeaders, digestHeader } from "../blob-headers.ts";
import { param, readerOf } from "../call.ts";
import { plain } from "../handler.ts";
import { readRange } from "../range.ts";

const TYPE = "application/octet-stream";

/** The whole blob, or one range of it (206). */
export const getBlob = plain(async (call) => {
  const sha256 = param(call, "sha256");
  call.note({ sha256 });
  const bytes = await findBlob(call.services.queue, sha256, readerOf(call));
  const [condition] = call.headerValues("if-range");
  const stale = condition !== undefined && condition !== `"${sha256}"`;
  const range = readRange(stale ? undefined : call.headerValues("range")[0], bytes);
  if (range.kind === "outside")
    return {
      kind: "refused",
      error: new HandoffError("range_not_satisfiable", `The blob has ${bytes} bytes.`),
      headers: { "content-range": `bytes */${bytes}` },
    };
  const { first, last } = range.kind === "part" ? range : { first: 0, last: bytes - 1 };
  const source = await call.services.blobs.read(sha256, { first, last });
  const length = { "content-length": String(last - first + 1) };
  call.services.metrics.add(
    "render_handoff_gateway_blob_bytes_total",
    { direction: "out" },
    last - first + 1,
  );
  const common = { ...blobHeaders(sha256), "repr-digest": digestHeader(sha256), ...length };
  return range.kind === "part"
    ? {
        kind: "stream",
        status: 206,
        source,
        type: TYPE,
        headers: { ...common, "content-range": `bytes ${first}-${last}/${bytes}` },
      }
    : {
        kind: "stream",
        status: 200,
        source,
        type: TYPE,
        headers: { ...common, [HEADERS.contentDigest]: digestHeader(sha256) },
      };
});
