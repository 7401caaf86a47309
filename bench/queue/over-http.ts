import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { RESULT } from "./measure.ts";

export interface Served {
  readonly url: string;
  readonly adminToken: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The product's own command as its own process, without the rate limit. */
export async function serve(dataFolder: string, ...flags: string[]): Promise<Served> {
  const bin = join(import.meta.dirname, "../../dist/src/cli/bin/render-handoff.js");
  const args = ["gateway", "serve", "--data", dataFolder, "--port", "0", "--rate-limit", "0", "--json"];
  const child = spawn(process.execPath, [bin, ...args, ...flags], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      url: JSON.parse(line).url,
      adminToken: readFileSync(join(dataFolder, "admin-token"), "utf8").trim(),
      pid: child.pid ?? 0,
      stop: async () => {
        const ended = once(child, "close");
        child.kill("SIGTERM");
        await ended;
      },
    };
  }
  throw new Error("the gateway did not start");
}

/** Claims and completes `count` tasks over HTTP with `clients` workers at a time; pairs in a second. */
export async function httpPairs(served: Served, count: number, clients: number): Promise<number> {
  const pool = new Pool(served.url, { connections: clients, pipelining: 1 });
  const post = async (path: string, token: string, body: unknown, key?: string): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const answer = await pool.request({ path, method: "POST", headers, body: JSON.stringify(body) });
    if (answer.statusCode >= 300) throw new Error(`${path}: ${await answer.body.text()}`);
    return answer.body.json();
  };
  const run = `r${Math.round(performance.now())}`;
  const ids = Array.from({ length: count }, (_, n) => `${run}.${n}`);
  for (const task_id of ids)
    await post("/q/enqueue", served.adminToken, { task_id, payload: { work: task_id }, lease_seconds: 600 });
  const workers = [];
  for (let n = 0; n < clients; n += 1) {
    const answer = await post("/q/worker", served.adminToken, {
      name: "w",
      operator: null,
      public_key: null,
    });
    workers.push(Object(answer));
  }
  const started = performance.now();
  const rest = ids.values();
  const lane = async ({ worker_uuid, token }: { worker_uuid: string; token: string }): Promise<void> => {
    for (const task_id of rest) {
      const lease = Object(await post("/q/claim", token, { task_id, worker_id: worker_uuid }));
      const { fencing_token } = lease;
      const body = { task_id, worker_id: worker_uuid, fencing_token, result: RESULT };
      await post("/q/submit", token, body, `key.${task_id}`);
    }
  };
  await Promise.all(workers.map(lane));
  const rate = count / ((performance.now() - started) / 1_000);
  await pool.close();
  return rate;
}
