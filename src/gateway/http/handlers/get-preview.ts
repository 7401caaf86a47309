import { HandoffError } from "../../../core/error.ts";
import { param } from "../call.ts";
import { plain } from "../handler.ts";
import { SAFE_HEADERS } from "../safe-headers.ts";

/** The page asks with what it has seen of it (`seen`), so that another picture has another address. */
export const getPreview = plain(async (call) => {
  const bytes = await call.services.queue.store.read((rows) => rows.previewBytes(param(call, "task_id")));
  if (bytes === null) throw new HandoffError("preview_unknown");
  return {
    kind: "bytes",
    status: 200,
    bytes,
    type: "image/png",
    headers: { ...SAFE_HEADERS, "cache-control": "private, max-age=3600" },
  };
});
