import type { Answer } from "../call.ts";
import { plain } from "../handler.ts";
import { SAFE_HEADERS } from "../safe-headers.ts";

const file = (bytes: Buffer, type: string): Answer => ({
  kind: "bytes",
  status: 200,
  bytes,
  type,
  headers: { ...SAFE_HEADERS, "cache-control": "no-cache" },
});

export const pageScript = plain(async ({ services }) =>
  file(services.pages.assets.script, "text/javascript; charset=utf-8"),
);
export const pageStyle = plain(async ({ services }) =>
  file(services.pages.assets.style, "text/css; charset=utf-8"),
);
export const pageIcon = plain(async ({ services }) => file(services.pages.assets.icon, "image/svg+xml"));
