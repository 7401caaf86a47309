import { JSON_TYPE } from "../call.ts";
import { plain } from "../handler.ts";

export const openapi = plain(async ({ services }) => ({
  kind: "bytes",
  status: 200,
  bytes: services.openapi,
  type: JSON_TYPE,
}));
