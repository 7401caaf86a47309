import { afterAll, expect, test } from "vitest";
import { CONTAINMENTS } from "../../../contracts/documents/policy.ts";
import { detectContainments } from "../../../src/blender/containment/detect.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { FAULT_POINTS } from "../../../src/render-child/fault-points.ts";
import { runChild } from "../../../src/render-child/run.ts";
import { childOptions, putJob } from "../../support/child.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { scaled } from "../../support/scale.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { allCases, sampleCases } from "./cases.ts";
import { type Played, playCase, type Stage } from "./play-case.ts";
import { matrixTable } from "./table.ts";
import { acceptedFrames } from "./verdict.ts";

/** Cases mostly wait, for leases and for Blender. */
const AT_ONCE = 4;

const report = await detectContainments(systemClock);
const offered = CONTAINMENTS.filter((rung) => report[rung].available);
const whole = scaled(0, 1) === 1;
const cases = whole ? allCases(offered) : sampleCases(offered);
const all: Played[] = [];

test.each(FAULT_POINTS)(
  "a run that is ended at %s loses nothing, doubles nothing and leaves nothing",
  {
    timeout: 1_800_000,
  },
  async (point) => {
    const stage = await openStage();
    const waiting = cases.filter((one) => one.point === point);
    const faults: unknown[] = [];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const played = await playCase(stage, next);
        all.push(played);
        if (played.problems.length > 0) faults.push({ ...next, problems: played.problems });
      }
    };
    const started = systemClock.monotonicMs();
    const count = waiting.length;
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    console.log(`${point}: ${count} cases in ${Math.round((systemClock.monotonicMs() - started) / 1_000)} s`);
    expect(faults).toEqual([]);
  },
);

afterAll(() => {
  const longer = all.filter((one) => one.leaseSeconds > 2);
  const lost = all.reduce((sum, one) => sum + one.lost, 0);
  console.log(
    `${matrixTable(all)}\n${all.length} cases, ${all.filter((one) => one.problems.length > 0).length} faults; ` +
      `containments: ${offered.join(", ")} of ${CONTAINMENTS.length}; leases of 2 s, ` +
      `${longer.length} cases played again with longer ones; ${lost} runs again for LEASE_LOST`,
  );
});

/** A gateway process, and the frames that a run hands in to which nothing happens. */
async function openStage(): Promise<Stage> {
  const gateway = await startGatewayProcess();
  await putJob(gateway, "honest", { jobId: "undisturbed" });
  await runChild(await childOptions(gateway, await gateway.registerWorker()));
  const frames = await acceptedFrames(gateway, "undisturbed.a");
  return { gateway, folder: await temporaryFolder(), frames, apart: whole };
}
