import { findBlob } from "../../queue/find-blob.ts";
import { blobHeaders, digestHeader } from "../blob-headers.ts";
import { param, readerOf } from "../call.ts";
import { plain } from "../handler.ts";

/** Whether a blob is there; its size is the Content-Length. */
export const headBlob = plain(async (call) => {
  const sha256 = param(call, "sha256");
  call.note({ sha256 });
  const bytes = await findBlob(call.services.queue, sha256, readerOf(call));
  return {
    kind: "empty",
    status: 200,
    headers: {
      ...blobHeaders(sha256),
      "repr-digest": digestHeader(sha256),
      "content-length": String(bytes),
    },
  };
});
