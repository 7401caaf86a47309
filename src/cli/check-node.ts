import { HandoffError } from "../core/error.ts";
import { LEAST_MAJOR, nodeIsTooOld } from "../core/node-version.ts";

/** Throws USAGE_NODE_TOO_OLD: on an older Node.js parts are missing, and what fails then would look like a verdict. */
export function checkNode(version: string): void {
  if (nodeIsTooOld(version))
    throw new HandoffError("USAGE_NODE_TOO_OLD", `It is ${version}; ${LEAST_MAJOR} or later is needed.`);
}
