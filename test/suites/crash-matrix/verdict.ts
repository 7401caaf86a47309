import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { SlotResult } from "../../../contracts/documents/slot-result.ts";
import { SubmitRequest } from "../../../contracts/wire/queue.ts";
import type { TestGateway } from "../../support/gateway.ts";
import type { Party, Stage } from "./play-case.ts";

/** The frames that the accepted submit of a slot named. */
export async function acceptedFrames(gateway: TestGateway, taskId: string): Promise<unknown> {
  const request = SubmitRequest.parse((await gateway.call(`/q/request/${taskId}`)).json());
  return SlotResult.parse(request.result).frames;
}

/** What is wrong with the accepted result: one, the winner's, with the right frames and the first receipt. */
export async function verdictOf(
  { gateway, frames }: Stage,
  wanted: { name: string; winner: Party; before: Buffer | null },
): Promise<string[]> {
  const taskId = `${wanted.name}.a`;
  const task = (await gateway.call(`/q/task/${taskId}`)).json();
  if (task["state"] !== "done") return [`the task is ${String(task["state"])}`];
  const problems: string[] = [];
  if (task["version"] !== 1) problems.push(`version ${String(task["version"])}`);
  if (task["worker_id"] !== wanted.winner.workerUuid) problems.push("another worker's result");
  const object = (await gateway.call(`/q/object/${taskId}`)).json();
  if (object["version_count"] !== 1) problems.push(`${String(object["version_count"])} results`);
  if (!isDeepStrictEqual(await acceptedFrames(gateway, taskId), frames)) problems.push("other frames");
  const receipt = (await gateway.call(`/q/receipt/${taskId}`)).bytes;
  if (wanted.before?.equals(receipt) === false) problems.push("another receipt than the first");
  const kept = receiptsOf(wanted.winner.options.stateFolder);
  if (!kept.some((one) => receipt.equals(one))) problems.push("the worker does not hold the receipt");
  if (kept.length !== 1) problems.push(`the worker holds ${kept.length} receipts`);
  return problems;
}

function receiptsOf(stateFolder: string): Uint8Array[] {
  const database = new DatabaseSync(join(stateFolder, "state.sqlite"), { readOnly: true });
  try {
    return database
      .prepare("SELECT receipt FROM outbox WHERE receipt IS NOT NULL")
      .all()
      .flatMap(({ receipt }) => (receipt instanceof Uint8Array ? [receipt] : []));
  } finally {
    database.close();
  }
}
