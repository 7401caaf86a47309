import type { Step } from "../../contracts/flow.ts";
import type { Clock } from "./clock.ts";

export type Level = "debug" | "info" | "warning" | "error";
/** Closed set of fields; no token and no path of a scene is ever one of them. */
export interface LogFields {
  readonly step?: Step;
  readonly code?: string;
  readonly request_id?: string;
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly duration_ms?: number;
  readonly job_id?: string;
  readonly task_id?: string;
  readonly worker_uuid?: string;
  readonly fencing_token?: number;
  readonly frame?: number;
  readonly attempt?: number;
  readonly sha256?: string;
  readonly bytes?: number;
  readonly detail?: string;
}

export interface Logger {
  log(level: Level, event: string, fields?: LogFields): void;
}

export const silentLogger: Logger = { log: () => {} };

/** One JSON object a line; `write` gets the line with its newline. */
export const jsonLogger = (clock: Pick<Clock, "wallSeconds">, write: (line: string) => void): Logger => ({
  log: (level, event, fields = {}) => {
    const time = new Date(clock.wallSeconds() * 1_000).toISOString().replace(".000Z", "Z");
    write(`${JSON.stringify({ time, level, event, ...fields })}\n`);
  },
});
