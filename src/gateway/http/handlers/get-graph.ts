import { HandoffError } from "../../../core/error.ts";
import { readGraph } from "../../queue/read-graph.ts";
import { ok } from "../call.ts";
import { plain } from "../handler.ts";

export const getGraph = plain(async ({ services, query }) => {
  const { root, version } = query;
  if (root === undefined) throw new HandoffError("invalid_request_shape", "Parameter root is missing.");
  return ok(
    await readGraph(services.queue, { key: root, version: version === undefined ? null : Number(version) }),
  );
});
