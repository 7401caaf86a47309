import { expect, test } from "vitest";
import type { FaultPoint } from "../../../src/gateway/queue/queue.ts";
import { childOptions, putJob } from "../../support/child.ts";
import { startChildProcess } from "../../support/child-process.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { scaled } from "../../support/scale.ts";
import { storedReceipts } from "../../support/stored-receipts.ts";

// A gateway is killed under a real run of the child, and its answer is lost; the gateway and the child come back.

/** What the gateway has on record when it comes back. */
const POINTS: [FaultPoint, "ready" | "leased" | "done"][] = [
  ["submit_after_commit", "done"],
  ["submit_before_commit", "leased"],
  ["claim_after_commit", "leased"],
];

test.each(POINTS.slice(0, scaled(1, POINTS.length)))(
  "a gateway that is killed at %s is asked again by the child's next run, under the same fence, for one receipt",
  async (faultPoint, state) => {
    const gateway = await startGatewayProcess({ faultPoint });
    await putJob(gateway, "honest");
    const options = await childOptions(gateway, await gateway.registerWorker());
    const first = await startChildProcess(options).ended;
    expect(await gateway.ended).toBe("SIGKILL");
    expect(first, first.stderr).toMatchObject({ exit: 3, signal: null, result: { outcome: "failed" } });
    expect(first.result?.reason).toMatch(/^GATEWAY_/);
    expect(storedReceipts(options.stateFolder)).toEqual([]);

    const { dataFolder, url } = gateway;
    const again = await startGatewayProcess({ dataFolder, port: Number(new URL(url).port) });
    const found = (await again.call("/q/task/shot.a")).json();
    expect(found).toMatchObject({ state, fencing_token: 1, claims: 1 });
    const original = await again.call("/q/receipt/shot.a");
    expect(original.status).toBe(state === "done" ? 200 : 404);

    const second = await startChildProcess(options).ended;
    expect(second, second.stderr).toMatchObject({ exit: 0, result: { outcome: "completed" } });
    const [receipt, ...more] = storedReceipts(options.stateFolder);
    expect(more).toEqual([]);
    if (original.status === 200) expect(receipt?.equals(original.bytes)).toBe(true);
    const now = await again.call("/q/receipt/shot.a");
    expect(receipt?.equals(now.bytes)).toBe(true);
    expect(now.json()).toMatchObject({ fencing_token: 1, worker_id: options.workerUuid });
    expect((await again.call("/q/task/shot.a")).json()).toMatchObject({
      state: "done",
      claims: 1,
      version: 1,
    });
  },
);
