import type { ContractLedger } from "../../contracts/documents/contract-ledger.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { HEADERS, ROUTES, type RouteName } from "../../contracts/routes.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import type { PlayedRequest } from "./played-request.ts";
import type { Player } from "./player.ts";
import { idOf, type RequestStep, type Scope } from "./scope.ts";
import { verdictBody } from "./verdict-body.ts";

type StepOf<Verb> = Extract<RequestStep, { do: Verb }>;

const json = { "content-type": "application/json" };

interface Posted {
  readonly body: Buffer;
  readonly by: PlayedRequest["by"];
  readonly key?: string | readonly string[] | null | undefined;
}
const post = (route: RouteName, { body, by, key }: Posted): PlayedRequest => ({
  route,
  path: ROUTES[route].path,
  headers: key == null ? json : { ...json, [HEADERS.idempotencyKey]: key },
  body,
  by,
});
const get = (route: RouteName, path: string, by: PlayedRequest["by"]): PlayedRequest => ({
  route,
  path,
  headers: {},
  body: null,
  by,
});
const READS = { read_task: "getTask", read_receipt: "getReceipt", read_request: "getRequest" } as const;

/** The request that a step makes over HTTP. */
export async function requestOf(
  step: RequestStep,
  scope: Scope,
  player: Pick<Player, "session" | "ledger" | "gatewayId">,
): Promise<PlayedRequest> {
  const { session, ledger, gatewayId } = player;
  const uuid = async (name: string): Promise<string> => (await session.worker(name)).workerUuid;
  const held = async (one: { task: string; worker: string; fence: number }) => ({
    task_id: idOf(scope, one.task),
    worker_id: await uuid(one.worker),
    fencing_token: one.fence,
  });
  const by = (one: { worker: string; as?: string | undefined }) => ({ worker: one.as ?? one.worker });
  switch (step.do) {
    case "enqueue": {
      const { payload, lease_seconds } = step;
      const body = { task_id: idOf(scope, step.task), payload, lease_seconds };
      return post("enqueue", { body: canonicalBytes(body), by: "administrator" });
    }
    case "claim": {
      const body = { task_id: idOf(scope, step.task), worker_id: await uuid(step.worker) };
      return post("claim", { body: canonicalBytes(body), by: by(step), key: step.key });
    }
    case "heartbeat": {
      const body = { ...(await held(step)), progress: null };
      return post("heartbeat", { body: canonicalBytes(body), by: by(step) });
    }
    case "release": {
      const body = { ...(await held(step)), reason: "INTERRUPTED" };
      return post("release", { body: canonicalBytes(body), by: by(step) });
    }
    case "submit": {
      const json = { ...(await held(step)), result: step.result };
      const body = step.form === "spaced" ? Buffer.from(JSON.stringify(json, null, 2)) : canonicalBytes(json);
      return post("submit", { body, by: by(step), key: step.key });
    }
    case "submit_raw": {
      const text = step.body
        .replaceAll("{task}", idOf(scope, step.task))
        .replaceAll("{worker}", await uuid(step.worker));
      return post("submit", { body: Buffer.from(text), by: by(step), key: step.key });
    }
    case "submit_slot": {
      const body = {
        ...(await held({ ...step, task: slotTaskId(step.job, step.slot) })),
        result: slotResult(step, scope, ledger),
      };
      return post("submit", { body: canonicalBytes(body), by: by(step), key: step.key });
    }
    case "upload":
      return upload(step, scope);
    case "reopen": {
      const version = step.version === undefined ? {} : { version: step.version };
      const body = { task_id: idOf(scope, step.task), reason: "JOIN_FRAME_DIGEST", ...version };
      return post("reopen", { body: canonicalBytes(body), by: "administrator" });
    }
    case "revoke":
      return {
        route: "revokeWorker",
        path: `/q/worker/${await uuid(step.worker)}/revoke`,
        headers: {},
        body: null,
        by: "administrator",
      };
    case "post_verdict":
      return post("postVerdict", {
        body: verdictBody(step, scope, gatewayId),
        by: step.as === undefined ? { checker: step.checker } : { worker: step.as },
      });
    case "read_graph":
      return get(
        "getGraph",
        `/q/graph?root=${idOf(scope, step.root)}${step.version === undefined ? "" : `&version=${step.version}`}`,
        "administrator",
      );
    case "read_task":
    case "read_receipt":
    case "read_request":
      return get(
        READS[step.do],
        `/q/${step.do.slice("read_".length)}/${idOf(scope, step.task)}${asked(step.version)}`,
        reader(step.as),
      );
    case "read_tasks":
      return get("listTasks", `/q/tasks?job=${idOf(scope, step.job)}&limit=100`, reader(step.as));
    case "read_job":
      return get("getJob", `/q/job/${idOf(scope, step.job)}`, reader(step.as));
    case "read_blob":
      return get("getBlob", `/q/blob/${sha256(textOf(step, scope))}`, reader(step.as));
    case "read_object":
      return get("getObject", `/q/object/${idOf(scope, step.task)}${asked(step.version)}`, reader(step.as));
  }
}

const asked = (version: number | undefined): string => (version === undefined ? "" : `?version=${version}`);
const reader = (worker: string | undefined): PlayedRequest["by"] =>
  worker === undefined ? "administrator" : { worker };

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

const textOf = ({ text, task }: { text: string; task: string }, scope: Scope): Buffer =>
  Buffer.from(text.replaceAll("{task}", idOf(scope, task)));

function upload(step: StepOf<"upload">, scope: Scope): PlayedRequest {
  const bytes = textOf(step, scope);
  const body = Buffer.from(bytes);
  // the same bytes but for one bit of the first
  if (step.wrong === "digest") body[0] = (body[0] ?? 0) ^ 1;
  return {
    route: "putBlob",
    path: `/q/blob/${sha256(bytes)}`,
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
