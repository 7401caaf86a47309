import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import type { TestGateway, TestWorker } from "../../support/gateway.ts";
import type { Answered } from "../../support/gateway-call.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** A gateway's data with a task and a worker, closed; each case starts from a copy. */
export interface Prepared {
  readonly dataFolder: string;
  readonly worker: TestWorker;
}

export async function prepareData(): Promise<Prepared> {
  const gateway = await startGatewayProcess();
  await gateway.call("/q/enqueue", {
    method: "POST",
    body: { task_id: "task", payload: { work: 1 }, lease_seconds: 600 },
  });
  const worker = await gateway.registerWorker();
  await gateway.close();
  return { dataFolder: gateway.dataFolder, worker };
}

export interface Traced {
  readonly gateway: GatewayProcess;
  /** Flushes of the thread that owns the database so far. */
  flushes(): Promise<number>;
}

/** A gateway on a copy of the data whose calls of fsync and fdatasync strace counts and, by `inject`, breaks. */
export async function startTraced({ dataFolder }: Prepared, inject: string | null): Promise<Traced> {
  const folder = await temporaryFolder();
  const copy = join(folder, "data");
  await cp(dataFolder, copy, { recursive: true });
  const trace = join(folder, "trace");
  const faults = inject === null ? [] : ["-e", `inject=fsync,fdatasync:${inject}`];
  const under = ["strace", "-D", "-qq", "-o", trace, "-e", "trace=fsync,fdatasync", ...faults];
  const gateway = await startGatewayProcess({ dataFolder: copy, under });
  // without -f only the first thread is followed: it is the one that has the database
  const flushes = async (): Promise<number> =>
    (await readFile(trace, "utf8")).split("\n").filter((line) => /^f(data)?sync\(/.test(line)).length;
  return { gateway, flushes };
}

export interface Followed {
  readonly gateway: GatewayProcess;
  /** The paths of the calls that succeeded so far, in order. */
  done(): Promise<string[]>;
}

/**
 * A gateway of which strace follows every thread, and counts and breaks only calls on these paths, or on any path
 * where none is given. What Node.js does asynchronously is done by one thread: the n-th call is the n-th of all.
 */
export async function startFollowed(
  dataFolder: string,
  { paths, inject }: { paths: readonly string[]; inject: string | null },
): Promise<Followed> {
  const trace = join(await temporaryFolder(), "trace");
  const only = paths.flatMap((path) => ["-P", path]);
  const faults = inject === null ? [] : ["-e", `inject=${inject}`];
  // only the calls that matter stop the gateway
  const calls = new Set(["fsync", ...(inject === null ? [] : [inject.split(":")[0]])]);
  const follow = ["-f", "-D", "-qq", "-y", "--seccomp-bpf", "-o", trace];
  const strace = ["strace", ...follow, "-e", `trace=${[...calls].join(",")}`, ...only, ...faults];
  const under = ["env", "UV_THREADPOOL_SIZE=1", ...strace];
  const gateway = await startGatewayProcess({ dataFolder, under });
  const done = async (): Promise<string[]> =>
    [...(await readFile(trace, "utf8")).matchAll(/ fsync\(\d+<(.*)>\) += 0$/gm)].map(([, path = ""]) => path);
  return { gateway, done };
}

/** Null when the connection broke. */
type Call = (gateway: TestGateway, worker: TestWorker) => Promise<Answered | null>;

export const claimAs: Call = (gateway, worker) =>
  gateway
    .call("/q/claim", {
      method: "POST",
      token: worker.token,
      headers: { "idempotency-key": "claim-1" },
      body: { task_id: "task", worker_id: worker.workerUuid },
    })
    .catch(() => null);
export const submitAs: Call = (gateway, worker) =>
  gateway
    .call("/q/submit", {
      method: "POST",
      token: worker.token,
      headers: { "idempotency-key": "key-1" },
      body: canonicalBytes({
        task_id: "task",
        worker_id: worker.workerUuid,
        fencing_token: 1,
        result: { answer: 42 },
      }),
    })
    .catch(() => null);

export function integrity(dataFolder: string): unknown {
  const db = new DatabaseSync(join(dataFolder, "queue.sqlite"));
  try {
    return db.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
  } finally {
    db.close();
  }
}
