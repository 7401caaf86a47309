import { sha256 } from "../../src/core/digest.ts";
import type { HistoryEvent } from "./history.ts";
import { historyCall } from "./history-call.ts";

export interface HistoryWorker {
  readonly workerUuid: string;
  readonly token: string;
}
/** What goes out: the fence of everything but claims, the key of claims and submits. */
export interface Sent {
  readonly task: string;
  readonly fence: number | null;
  readonly key: string | null;
  readonly body: Buffer;
}
interface Made {
  readonly url: string;
  readonly worker: HistoryWorker;
  readonly op: HistoryEvent["op"];
  /** How its answer is lost on purpose. */
  readonly lose: "after" | "before" | null;
}

export const monotonic = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

/** One call as an event of a history. */
export async function recordCall({ url, worker, op, lose }: Made, out: Sent): Promise<HistoryEvent> {
  const { task, fence, key, body } = out;
  const sent = monotonic();
  const sentSecond = Math.floor(Date.now() / 1_000);
  const answer = await historyCall({ url: `${url}/q/${op}`, token: worker.token, body, key, lose });
  const json = answer === null || answer.text === "" ? {} : JSON.parse(answer.text);
  const outcome =
    answer === null || answer.status >= 500
      ? "unknown"
      : answer.status === 200
        ? "ok"
        : String(json.type ?? "").replace("urn:render-handoff:error:", "");
  const expires =
    outcome === "ok" && op !== "submit" && json.lease_expires_at !== undefined
      ? Date.parse(json.lease_expires_at) / 1_000
      : null;
  return {
    ...{ op, task, worker: worker.workerUuid, fence, key, sent, ended: monotonic(), sentSecond, outcome },
    bodySha256: op === "submit" ? sha256(body) : null,
    replayed: answer?.replayed ?? false,
    fenceGiven: op === "claim" && outcome === "ok" ? Number(json.fencing_token) : null,
    version: op === "claim" && outcome === "ok" ? Number(json.version) : null,
    expires,
    receipt: op === "submit" && outcome === "ok" ? (answer?.text ?? null) : null,
  };
}
