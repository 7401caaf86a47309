import { Job } from "../../contracts/documents/job.ts";
import type { Json } from "../../contracts/json.ts";
import { joinKey } from "../../contracts/names.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { readDocument } from "../core/json/read-document.ts";
import { codeOfAnswer, differs, equal, isSuccess, memberOf, objectOf } from "./answer.ts";
import type { PlainAnswer } from "./exchange-once.ts";
import { toldReceiptFault } from "./judge-receipt.ts";
import { objectFault, taskFault, tasksFault } from "./judge-records.ts";
import type { PlayedRequest } from "./played-request.ts";
import { leaseKey, noteJob, type Told } from "./told.ts";

/** Members that an answer repeats of its request. */
const REPEATED = ["task_id", "worker_id", "fencing_token"] as const;

/**
 * What an answer of the right shape tells otherwise than it was sent or told before, as one sentence; what it tells
 * anew is noted, and later answers are held to it.
 */
export function toldFault(request: PlayedRequest, answer: PlainAnswer, told: Told): string | null {
  if (!isSuccess(answer)) return refusalFault(request, answer, told);
  const sent = objectOf(request.body);
  for (const name of REPEATED) {
    const [given, back] = [sent?.[name], memberOf(answer, name)];
    if (given !== undefined && back !== undefined && given !== back)
      return differs(name, back, `${String(given)} as it was sent`);
  }
  switch (request.route) {
    case "enqueue":
      return enqueueFault(sent, answer, told);
    case "putJob":
      return jobFault(request, answer, told);
    case "claim":
      return claimFault(answer, told);
    case "heartbeat":
      return noteExpiry(sent, answer, told);
    case "submit":
      return toldReceiptFault(request, answer, told);
    case "revokeWorker":
      return memberOf(answer, "revoked_at") === null ? "revoked_at is null after the revocation" : null;
    case "postVerdict":
      return (
        equal("object_key", memberOf(answer, "object_key"), joinKey(String(sent?.["job_id"]))) ??
        equal("sha256_hash", memberOf(answer, "sha256_hash"), sha256(request.body ?? ""))
      );
    case "getTask":
      return taskFault(answer, told, lastPart(request));
    case "listTasks":
      return tasksFault(answer, told);
    case "getObject":
      return objectFault(answer, told, lastPart(request));
    case "getJob":
      return equal("SHA-256 of the job's bytes", sha256(answer.body), told.jobs.get(lastPart(request)));
    case "getBlob":
      return equal("SHA-256 of the blob's bytes", sha256(answer.body), lastPart(request));
    default:
      return null;
  }
}

/** What a path asks for. */
const lastPart = ({ path }: PlayedRequest): string => path.split("?")[0]?.split("/").at(-1) ?? "";

/** A held task names the seconds until its lease can have ended: one or more, and no more than a lease has. */
function refusalFault(request: PlayedRequest, answer: PlainAnswer, told: Told): string | null {
  if (codeOfAnswer(answer) !== "already_leased") return null;
  const after = String(answer.headers["retry-after"] ?? "absent");
  const most = told.tasks.get(String(objectOf(request.body)?.["task_id"]))?.leaseSeconds;
  return /^[1-9]\d*$/.test(after) && (most === undefined || Number(after) <= most)
    ? null
    : differs("Retry-After", after, `1 to ${most ?? "the lease's"} seconds`);
}

function enqueueFault(sent: Sent, answer: PlainAnswer, told: Told): string | null {
  const { task_id: taskId, payload, lease_seconds: leaseSeconds } = sent ?? {};
  if (typeof taskId === "string" && payload !== undefined && typeof leaseSeconds === "number")
    told.tasks.set(taskId, { payload, leaseSeconds });
  return createdFault(answer);
}
type Sent = { readonly [key: string]: Json } | undefined;

function jobFault(request: PlayedRequest, answer: PlainAnswer, told: Told): string | null {
  const body = request.body ?? Buffer.alloc(0);
  const job = readDocument(Job, body);
  if (!job.ok) return null;
  const { job_id: id, limits } = job.value;
  const digest = sha256(body);
  noteJob(told, { id, sha256: digest, leaseSeconds: limits.lease_seconds });
  return (
    equal("job_id", memberOf(answer, "job_id"), id) ??
    equal("job_sha256", memberOf(answer, "job_sha256"), digest) ??
    createdFault(answer)
  );
}

const createdFault = (answer: PlainAnswer): string | null =>
  memberOf(answer, "created") === (answer.status === 201)
    ? null
    : `created is ${String(memberOf(answer, "created"))} under the status ${answer.status}`;

/** A lease that is told again is the same, with the expiry that was told last. */
function claimFault(answer: PlainAnswer, told: Told): string | null {
  const claim = objectOf(answer.body) ?? {};
  const taskId = String(claim["task_id"]);
  const task = told.tasks.get(taskId);
  if (task !== undefined) {
    if (!canonicalBytes(claim["payload"]).equals(canonicalBytes(task.payload)))
      return "payload is not what was enqueued";
    if (Number(claim["lease_seconds"]) > task.leaseSeconds)
      return differs("lease_seconds", claim["lease_seconds"], `at most ${task.leaseSeconds}`);
  }
  const key = leaseKey(taskId, claim["fencing_token"]);
  const known = told.leases.get(key);
  const lease = {
    workerId: String(claim["worker_id"]),
    version: Number(claim["version"]),
    expiresAt: String(claim["lease_expires_at"]),
  };
  told.leases.set(key, known ?? lease);
  return (
    equal("worker_id", lease.workerId, known?.workerId) ??
    equal("version", lease.version, known?.version) ??
    equal("lease_expires_at", lease.expiresAt, known?.expiresAt)
  );
}

function noteExpiry(sent: Sent, answer: PlainAnswer, told: Told): string | null {
  const key = leaseKey(String(sent?.["task_id"]), sent?.["fencing_token"]);
  const lease = told.leases.get(key);
  if (lease !== undefined)
    told.leases.set(key, { ...lease, expiresAt: String(memberOf(answer, "lease_expires_at")) });
  return null;
}
