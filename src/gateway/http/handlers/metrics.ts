import { queueDepth } from "../../queue/depth.ts";
import { needWritable } from "../../queue/need-writable.ts";
import { plain } from "../handler.ts";

/**
 * What this process has counted, and the queue as it is now; a store that fails is itself a figure, and so is one that
 * can only be read, as on a full disk.
 */
export const metrics = plain(async ({ services }) => {
  const { store } = services.queue;
  const depth = await needWritable(store)
    .then(() => queueDepth(store))
    .catch(() => null);
  return {
    kind: "bytes",
    status: 200,
    bytes: Buffer.from(await services.metrics.text(depth), "utf8"),
    type: "text/plain; version=0.0.4; charset=utf-8",
  };
});
