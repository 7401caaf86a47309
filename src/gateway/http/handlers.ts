import type { RouteName } from "../../../contracts/routes.ts";
import type { Handler } from "./handler.ts";
import { claim } from "./handlers/claim.ts";
import { collectGarbage } from "./handlers/collect-garbage.ts";
import { enqueue } from "./handlers/enqueue.ts";
import { events } from "./handlers/events.ts";
import { getBlob } from "./handlers/get-blob.ts";
import { getGraph } from "./handlers/get-graph.ts";
import { getJob } from "./handlers/get-job.ts";
import { getObject } from "./handlers/get-object.ts";
import { getPreview } from "./handlers/get-preview.ts";
import { getReceipt } from "./handlers/get-receipt.ts";
import { getRequest } from "./handlers/get-request.ts";
import { getTask } from "./handlers/get-task.ts";
import { getWorker } from "./handlers/get-worker.ts";
import { headBlob } from "./handlers/head-blob.ts";
import { health } from "./handlers/health.ts";
import { heartbeat } from "./handlers/heartbeat.ts";
import { listCheckers } from "./handlers/list-checkers.ts";
import { listTasks } from "./handlers/list-tasks.ts";
import { listWorkers } from "./handlers/list-workers.ts";
import { login, logout } from "./handlers/login.ts";
import { metrics } from "./handlers/metrics.ts";
import { openapi } from "./handlers/openapi.ts";
import { getPage } from "./handlers/page.ts";
import { pageIcon, pageScript, pageStyle } from "./handlers/page-files.ts";
import { postVerdict } from "./handlers/post-verdict.ts";
import { putBlob } from "./handlers/put-blob.ts";
import { putJob } from "./handlers/put-job.ts";
import { putPreview } from "./handlers/put-preview.ts";
import { ready } from "./handlers/ready.ts";
import { registerChecker } from "./handlers/register-checker.ts";
import { registerWorker } from "./handlers/register-worker.ts";
import { release } from "./handlers/release.ts";
import { reopen } from "./handlers/reopen.ts";
import { revokeChecker } from "./handlers/revoke-checker.ts";
import { revokeWorker } from "./handlers/revoke-worker.ts";
import { submit } from "./handlers/submit.ts";
import { wellKnown } from "./handlers/well-known.ts";

/** One handler for each route of the table. */
export const HANDLERS: Readonly<Record<RouteName, Handler>> = {
  claim,
  collectGarbage,
  enqueue,
  events,
  getBlob,
  getGraph,
  getJob,
  getObject,
  getReceipt,
  getRequest,
  getTask,
  getWorker,
  headBlob,
  health,
  heartbeat,
  listCheckers,
  listTasks,
  listWorkers,
  metrics,
  openapi,
  postVerdict,
  page: getPage,
  pageIcon,
  pageScript,
  pageStyle,
  login,
  logout,
  getPreview,
  putPreview,
  putBlob,
  putJob,
  ready,
  registerChecker,
  registerWorker,
  release,
  reopen,
  revokeChecker,
  revokeWorker,
  submit,
  wellKnown,
};
