import { LEAST_MAJOR, nodeIsTooOld } from "../core/node-version.ts";
import type { Line } from "./line.ts";

export function examineNode(version: string): Line {
  const good = !nodeIsTooOld(version);
  return {
    subject: "Node.js",
    state: good ? "ok" : "fault",
    detail: version,
    action: good ? null : `Use Node.js ${LEAST_MAJOR} or newer.`,
  };
}
