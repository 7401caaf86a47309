import { HandoffError } from "../../../core/error.ts";
import { plain } from "../handler.ts";

/** For this machine alone: what is counted is nobody else's business. */
export const metrics = plain(async ({ services, local }) => {
  if (!local) throw new HandoffError("role_forbidden", "Metrics are told on this machine only.");
  return {
    kind: "bytes",
    status: 200,
    bytes: Buffer.from(services.metrics.text(), "utf8"),
    type: "text/plain; version=0.0.4; charset=utf-8",
  };
});
