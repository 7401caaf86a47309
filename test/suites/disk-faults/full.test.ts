import { expect, test } from "vitest";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { claimAs, integrity, prepareData, submitAs } from "./traced.ts";

const FILE_BLOCKS = 400;

test("a disk that is full refuses writes as unavailable; what was acknowledged before is there", async () => {
  const data = await prepareData();
  // no file of this gateway may grow beyond 400 blocks of 512 bytes: the log cannot take more
  const limited = ["sh", "-c", `trap '' XFSZ; ulimit -f ${FILE_BLOCKS}; exec "$@"`, "sh"];
  const gateway = await startGatewayProcess({ dataFolder: data.dataFolder, under: limited });
  expect((await claimAs(gateway, data.worker))?.status).toBe(200);
  const enqueue = (task_id: string, size: number) =>
    gateway.call("/q/enqueue", {
      method: "POST",
      body: { task_id, payload: "x".repeat(size), lease_seconds: 60 },
    });
  const big = await enqueue("big", 600_000);
  expect([big.status, big.code]).toEqual([503, "unavailable"]);
  expect((await gateway.call("/q/task/big")).code).toBe("task_unknown");
  const small = await enqueue("small", 10);
  expect(small.status).toBe(201);
  const receipt = await submitAs(gateway, data.worker);
  expect(receipt?.status).toBe(200);
  await gateway.kill();
  expect(integrity(gateway.dataFolder)).toBe("ok");
  const next = await startGatewayProcess({ dataFolder: gateway.dataFolder });
  expect((await next.call("/q/receipt/task")).bytes.equals(receipt?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect((await next.call("/q/task/big")).code).toBe("task_unknown");
  expect((await next.call("/q/task/small")).status).toBe(200);
});
