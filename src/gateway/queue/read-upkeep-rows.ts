import { DEPTH_STATES } from "../../../contracts/telemetry.ts";
import { integer, integerOrNull, type Row, text } from "./columns.ts";
import type { BlobRow, OpenTasks } from "./upkeep-rows.ts";

export const readBlob = (row: Row): BlobRow => ({
  sha256: text(row, "sha256"),
  bytes: integer(row, "bytes"),
});

export const readOpenTasks = (row: Row): OpenTasks => {
  const told = text(row, "state");
  const state = DEPTH_STATES.find((name) => name === told);
  if (state === undefined) throw new TypeError("column state has an unexpected value");
  return { state, tasks: integer(row, "tasks"), since: integerOrNull(row, "since") };
};
