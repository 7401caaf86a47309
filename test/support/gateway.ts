import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { type GatewayOptions, openGateway } from "../../src/gateway/open.ts";
import { type Answered, type CallOptions, callGateway } from "./gateway-call.ts";
import { temporaryFolder } from "./temporary.ts";

export interface TestWorker {
  readonly workerUuid: string;
  readonly token: string;
}
export interface TestGateway {
  readonly url: string;
  readonly gatewayId: string;
  readonly dataFolder: string;
  readonly adminToken: string;
  readonly adminTokenFile: string;
  registerWorker(name?: string, operator?: string | null): Promise<TestWorker>;
  registerChecker(name?: string): Promise<{ checkerUuid: string; token: string }>;
  /** A call of this gateway by path; as the administrator unless a token (or null) is given. */
  call(path: string, options?: CallOptions): Promise<Answered>;
  /** Puts a blob as the administrator; its digest. */
  close(): Promise<void>;
}

/** A real gateway in this process on a free loopback port; closed when the test ends. */
export async function startGateway(options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const dataFolder = options.dataFolder ?? join(await temporaryFolder(), "data");
  const gateway = await openGateway({
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    logger: silentLogger,
    checkAnswers: true,
    // thousands of gateways start in the tests, and 8 MiB take longer than all else that a start does
    reserveBytes: 0,
    ...options,
    dataFolder,
  });
  onTestFinished(() => gateway.close());
  return gatewayHandle({ ...gateway, dataFolder });
}

interface Served {
  readonly url: string;
  readonly gatewayId: string;
  readonly dataFolder: string;
  /** Read from the data folder when not given. */
  readonly adminToken?: string;
  close(): Promise<void>;
}

/** What tests need of a gateway that serves, wherever it runs. */
export async function gatewayHandle(served: Served): Promise<TestGateway> {
  const adminTokenFile = join(served.dataFolder, "admin-token");
  const adminToken = served.adminToken ?? (await readFile(adminTokenFile, "utf8")).trim();
  const call = (path: string, options: CallOptions = {}): Promise<Answered> =>
    callGateway(`${served.url}${path}`, { token: adminToken, ...options });
  const register = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await call(path, { method: "POST", body });
    if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${answer.code}`);
    return answer.json();
  };
  return {
    ...served,
    adminToken,
    adminTokenFile,
    call,
    registerWorker: async (name = "worker", operator = null) => {
      const { worker_uuid, token } = await register("/q/worker", { name, operator, public_key: null });
      return { workerUuid: String(worker_uuid), token: String(token) };
    },
    registerChecker: async (name = "checker") => {
      const { checker_uuid, token } = await register("/q/checker", { name });
      return { checkerUuid: String(checker_uuid), token: String(token) };
    },
  };
}
