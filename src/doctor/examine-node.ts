import type { Line } from "./line.ts";

const LEAST_MAJOR = 24;

export function examineNode(version: string): Line {
  const good = Number(version.split(".")[0]) >= LEAST_MAJOR;
  return {
    subject: "Node.js",
    state: good ? "ok" : "fault",
    detail: version,
    action: good ? null : `Use Node.js ${LEAST_MAJOR} or newer.`,
  };
}
