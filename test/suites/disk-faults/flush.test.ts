import { expect, test } from "vitest";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { scaled } from "../../support/scale.ts";
import { claimAs, integrity, prepareData, startTraced, submitAs } from "./traced.ts";

// Rule 8 on real processes: the n-th flush of the database's thread after the start fails, or the process ends there.

const FLUSHES = Array.from({ length: scaled(2, 6) }, (_, index) => index + 1);
const LONG = { timeout: 60_000 * FLUSHES.length };

test(
  "a flush that fails changes nothing, is told as unavailable, and the same call succeeds after it",
  LONG,
  async () => {
    const data = await prepareData();
    const idle = await startTraced(data, null);
    const atStart = await idle.flushes();
    await idle.gateway.close();
    let refused = 0;
    for (const nth of FLUSHES) {
      const { gateway } = await startTraced(data, `error=EIO:when=${atStart + nth}`);
      for (const call of [claimAs, submitAs]) {
        let answer = await call(gateway, data.worker);
        if (answer?.status !== 200) {
          expect([answer?.status, answer?.code], `flush ${nth}`).toEqual([503, "unavailable"]);
          expect(answer?.headers["retry-after"]).toMatch(/^\d+$/);
          refused += 1;
          const task = (await gateway.call("/q/task/task")).json();
          expect(task["state"]).toBe(call === claimAs ? "ready" : "leased");
          answer = await call(gateway, data.worker);
        }
        expect(answer?.status, `flush ${nth}`).toBe(200);
        expect(answer?.json()["fencing_token"]).toBe(1);
        expect(answer?.headers["idempotent-replayed"]).toBe(undefined);
      }
      await gateway.kill();
      expect(integrity(gateway.dataFolder)).toBe("ok");
      const next = await startGatewayProcess({ dataFolder: gateway.dataFolder });
      expect((await submitAs(next, data.worker))?.headers["idempotent-replayed"]).toBe("true");
      await next.close();
    }
    console.log(
      `disk faults: ${FLUSHES.length} failing flushes after ${atStart} at the start, ${refused} refusals`,
    );
    expect(refused).toBeGreaterThan(0);
  },
);

test(
  "killed at a flush, what was acknowledged is there and what was not is whole or absent",
  LONG,
  async () => {
    const data = await prepareData();
    const idle = await startTraced(data, null);
    const atStart = await idle.flushes();
    await idle.gateway.close();
    let killed = 0;
    for (const nth of FLUSHES) {
      const { gateway } = await startTraced(data, `signal=SIGKILL:when=${atStart + nth}`);
      const claimed = await claimAs(gateway, data.worker);
      const submitted = claimed === null ? null : await submitAs(gateway, data.worker);
      if (submitted === null) {
        killed += 1;
        expect(await gateway.ended).toBe("SIGKILL");
      } else await gateway.kill();
      expect(integrity(gateway.dataFolder)).toBe("ok");
      const next = await startGatewayProcess({ dataFolder: gateway.dataFolder });
      const task = (await next.call("/q/task/task")).json();
      if (claimed?.status === 200) expect(task["fencing_token"], `flush ${nth}`).toBe(1);
      if (submitted?.status === 200)
        expect((await next.call("/q/receipt/task")).bytes.equals(submitted.bytes)).toBe(true);
      expect((await claimAs(next, data.worker))?.code ?? "").toBe(
        task["state"] === "done" ? "claim_key_spent" : "",
      );
      expect((await submitAs(next, data.worker))?.status).toBe(200);
      await next.close();
    }
    console.log(`disk faults: killed at ${killed} of ${FLUSHES.length} flushes`);
    expect(killed).toBeGreaterThan(0);
  },
);

test("while no flush succeeds every write is unavailable and reads go on", async () => {
  const data = await prepareData();
  const idle = await startTraced(data, null);
  const atStart = await idle.flushes();
  await idle.gateway.close();
  const { gateway } = await startTraced(data, `error=EIO:when=${atStart + 1}+`);
  for (let turn = 0; turn < 3; turn += 1)
    expect((await claimAs(gateway, data.worker))?.code).toBe("unavailable");
  expect((await gateway.call("/q/task/task")).json()).toMatchObject({ state: "ready", fencing_token: 0 });
  const ready = await gateway.call("/readyz", { token: null });
  expect(ready.code).toBe("unavailable");
  expect((await gateway.call("/healthz", { token: null })).status).toBe(200);
  await gateway.kill();
});
