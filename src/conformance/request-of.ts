import type { ContractLedger } from "../../contracts/documents/contract-ledger.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { HEADERS } from "../../contracts/routes.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import type { Player } from "./player.ts";
import { idOf, type RequestStep, type Scope } from "./scope.ts";
import type { PlayedRequest } from "./session.ts";
import { verdictBody } from "./verdict-body.ts";

type StepOf<Verb> = Extract<RequestStep, { do: Verb }>;

const json = { "content-type": "application/json" };
const post = (path: string, body: Buffer, by: PlayedRequest["by"], key?: string | null): PlayedRequest => ({
  method: "POST",
  path,
  headers: key == null ? json : { ...json, [HEADERS.idempotencyKey]: key },
  body,
  by,
});

/** The request that a step makes over HTTP. */
export async function requestOf(
  step: RequestStep,
  scope: Scope,
  player: Pick<Player, "session" | "ledger" | "gatewayId">,
): Promise<PlayedRequest> {
  const { session, ledger } = player;
  const uuid = async (name: string): Promise<string> => (await session.worker(name)).workerUuid;
  const held = async (one: { task: string; worker: string; fence: number }) => ({
    task_id: idOf(scope, one.task),
    worker_id: await uuid(one.worker),
    fencing_token: one.fence,
  });
  const by = (one: { worker: string; as?: string | undefined }) => ({ worker: one.as ?? one.worker });
  switch (step.do) {
    case "enqueue":
      return post(
        "/q/enqueue",
        canonicalBytes({
          task_id: idOf(scope, step.task),
          payload: step.payload,
          lease_seconds: step.lease_seconds,
        }),
        "administrator",
      );
    case "claim": {
      const body = { task_id: idOf(scope, step.task), worker_id: await uuid(step.worker) };
      return post("/q/claim", canonicalBytes(body), by(step), step.key);
    }
    case "heartbeat":
      return post("/q/heartbeat", canonicalBytes({ ...(await held(step)), progress: null }), by(step));
    case "release":
      return post("/q/release", canonicalBytes({ ...(await held(step)), reason: "INTERRUPTED" }), by(step));
    case "submit": {
      const body = { ...(await held(step)), result: step.result };
      const bytes =
        step.form === "spaced" ? Buffer.from(JSON.stringify(body, null, 2)) : canonicalBytes(body);
      return post("/q/submit", bytes, by(step), step.key);
    }
    case "submit_raw": {
      const text = step.body
        .replaceAll("{task}", idOf(scope, step.task))
        .replaceAll("{worker}", await uuid(step.worker));
      return post("/q/submit", Buffer.from(text), by(step), step.key);
    }
    case "submit_slot":
      return post(
        "/q/submit",
        canonicalBytes({
          ...(await held({ ...step, task: slotTaskId(step.job, step.slot) })),
          result: slotResult(step, scope, ledger),
        }),
        by(step),
        step.key,
      );
    case "upload":
      return upload(step, scope);
    case "reopen":
      return post(
        "/q/reopen",
        canonicalBytes({
          task_id: idOf(scope, step.task),
          reason: "JOIN_FRAME_DIGEST",
          ...(step.version === undefined ? {} : { version: step.version }),
        }),
        "administrator",
      );
    case "revoke":
      return {
        method: "POST",
        path: `/q/worker/${await uuid(step.worker)}/revoke`,
        headers: {},
        body: null,
        by: "administrator",
      };
    case "post_verdict":
      return post(
        "/q/verdict",
        await verdictBody(step, scope, player),
        step.as === undefined ? { checker: step.checker } : { worker: step.as },
      );
    case "read_graph":
      return {
        method: "GET",
        path: `/q/graph?root=${idOf(scope, step.root)}${step.version === undefined ? "" : `&version=${step.version}`}`,
        headers: {},
        body: null,
        by: "administrator",
      };
    case "read_task":
    case "read_receipt":
    case "read_request":
      return {
        method: "GET",
        path: `/q/${step.do.slice("read_".length)}/${idOf(scope, step.task)}${step.version === undefined ? "" : `?version=${step.version}`}`,
        headers: {},
        body: null,
        by: step.as === undefined ? "administrator" : { worker: step.as },
      };
  }
}

/** The ledger's base result, made to be of this job, slot and bundle. */
export function slotResult(
  step: Pick<StepOf<"submit_slot">, "job" | "slot" | "bundle"> & {
    change?: Record<string, unknown> | undefined;
  },
  scope: Scope,
  ledger: ContractLedger,
): Record<string, unknown> {
  const bundle = Buffer.from(step.bundle);
  return {
    ...ledger.slot_result,
    job_sha256: scope.jobs.get(step.job) ?? "",
    slot: step.slot,
    bundle: { sha256: sha256(bundle), bytes: bundle.byteLength },
    ...step.change,
  };
}

function upload(step: StepOf<"upload">, scope: Scope): PlayedRequest {
  const body = Buffer.from(step.text);
  return {
    method: "PUT",
    path: `/q/blob/${sha256(body)}`,
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(body.byteLength),
      [HEADERS.taskId]: idOf(scope, step.task),
      ...(step.omit_fence === true ? {} : { [HEADERS.fencingToken]: String(step.fence) }),
    },
    body,
    by: { worker: step.worker },
  };
}
