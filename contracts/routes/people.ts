import { CheckerRecord, WorkerRecord } from "../documents/records.ts";
import * as people from "../wire/people.ts";
import { get, post, type Route } from "../wire/route.ts";

const REGISTERED = { 201: "Always a new one." } as const;

/** Workers and checkers. */
export const PEOPLE_ROUTES = {
  registerWorker: {
    ...post(
      "/q/worker",
      ["administrator"],
      "Registers a worker; its token is shown once.",
      people.RegisterWorkerRequest,
      people.RegisterWorkerAnswer,
      [],
    ),
    statuses: REGISTERED,
  },
  listWorkers: get(
    "/q/worker",
    ["administrator", "checker"],
    "Workers, oldest first.",
    people.WorkerList,
    [],
    ["limit", "cursor"],
  ),
  getWorker: get("/q/worker/{id}", ["administrator", "checker"], "The record of a worker.", WorkerRecord, [
    "worker_unknown",
  ]),
  revokeWorker: post(
    "/q/worker/{id}/revoke",
    ["administrator"],
    "Ends a worker's token and leases.",
    null,
    WorkerRecord,
    ["worker_unknown"],
  ),
  registerChecker: {
    ...post(
      "/q/checker",
      ["administrator"],
      "Registers a checker; its token is shown once.",
      people.RegisterCheckerRequest,
      people.RegisterCheckerAnswer,
      [],
    ),
    statuses: REGISTERED,
  },
  listCheckers: get("/q/checker", ["administrator"], "All checkers.", people.CheckerList, []),
  revokeChecker: post(
    "/q/checker/{id}/revoke",
    ["administrator"],
    "Ends a checker's token.",
    null,
    CheckerRecord,
    ["worker_unknown"],
  ),
} as const satisfies Record<string, Route>;
