import { describe, expect, test } from "vitest";
import type { Job } from "../../../contracts/documents/job.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { putSampleJob, sampleJob, sampleResult, winSlot } from "../../support/gateway-job.ts";
import { outside, post } from "../gateway/route-calls.ts";

const look = async (gateway: TestGateway, query = ""): Promise<string> => {
  const answer = await gateway.call(`/${query}`, { token: null });
  expect(answer.status).toBe(200);
  return answer.bytes.toString("utf8");
};
const shown = (page: string): string[] =>
  [...page.matchAll(/<article class="handoff" data-part="([^"]*)"/g)].map(([, id = ""]) => id);
const another = async (gateway: TestGateway, job_id: string): Promise<Job> => {
  const job = sampleJob({ job_id });
  const put = await gateway.call("/q/job", { method: "POST", body: canonicalBytes(job) });
  expect(put.status).toBe(201);
  return job;
};

describe("the page", () => {
  test("shows both slots with state, worker, fence, progress and digests, without a script", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const [one, two] = [await gateway.registerWorker("attic"), await gateway.registerWorker("cellar")];
    const { receipt } = await winSlot(gateway, one, { job, slot: "a" });
    const body = { task_id: "shot-1.b", worker_id: two.workerUuid };
    await post(gateway, "/q/claim", { token: two.token, body });
    const progress = {
      phase: "render",
      frame: 209,
      frames_done: 1,
      sample: 7,
      samples: 16,
      watchdog_left_s: 100,
    };
    const beat = { ...body, fencing_token: 1, progress };
    await post(gateway, "/q/heartbeat", { token: two.token, body: beat });
    const page = await look(gateway);
    expect(page).toContain('data-state="done" data-task="shot-1.a"');
    expect(page).toContain('data-state="leased" data-task="shot-1.b"');
    for (const text of ["attic", "cellar", "frame 209", "sample 7 of 16", "1 m 40 s"])
      expect(page).toContain(text);
    const { result_sha256 } = JSON.parse(receipt.toString("utf8"));
    expect(page).toContain(`title="${result_sha256}"`);
    expect(page).toMatch(/data-until="\d+"/);
  });

  test("one handoff alone shows the bundle and every frame of what was handed in, by digest", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    await winSlot(gateway, await gateway.registerWorker(), { job, slot: "a" });
    const { bundle, manifest_sha256, frames } = sampleResult(job, "a");
    const digests = [bundle.sha256, manifest_sha256, ...frames.map((frame) => frame.sha256)];
    const [all, alone] = [await look(gateway), await look(gateway, "?handoff=shot-1")];
    const inside = (page: string) => digests.filter((one) => page.includes(`title="${one}"`));
    expect(inside(alone)).toEqual(digests);
    // the list is short: there is one submission and nothing of what is in it
    expect(inside(all).filter((one) => one !== bundle.sha256)).toEqual([]);
    expect(alone).toContain("<summary>3 frames</summary>");
    outside(gateway, "UPDATE objects SET payload = '{'");
    expect(await look(gateway, "?handoff=shot-1")).toContain("1 submission");
  });

  test("finds by job and by worker, filters by what is open, and turns pages", async () => {
    const gateway = await startGateway();
    const first = await putSampleJob(gateway, sampleJob({ job_id: "shot-00" }));
    for (let n = 1; n < 25; n += 1) await another(gateway, `shot-${String(n).padStart(2, "0")}`);
    const [one, two] = [await gateway.registerWorker("At%ic"), await gateway.registerWorker("cellar")];
    await winSlot(gateway, one, { job: first, slot: "a" });
    await winSlot(gateway, two, { job: first, slot: "b", key: "key-2" });

    const page = await look(gateway);
    expect(shown(page)).toHaveLength(20);
    expect(shown(page)[0]).toBe("shot-24");
    const older = /<a href="(\/\?before=\d+)">older/.exec(page)?.[1] ?? "";
    expect(shown(await look(gateway, older.slice(1)))).toEqual([
      "shot-04",
      "shot-03",
      "shot-02",
      "shot-01",
      "shot-00",
    ]);
    expect(shown(await look(gateway, "?show=done"))).toEqual(["shot-00"]);
    expect(shown(await look(gateway, "?show=open&q=shot-0"))).toHaveLength(9);
    expect(shown(await look(gateway, "?q=t%25i"))).toEqual(["shot-00"]);
    expect(shown(await look(gateway, "?q=%25%25"))).toEqual([]);
    expect(shown(await look(gateway, `?q=${two.workerUuid.slice(2, 12)}`))).toEqual(["shot-00"]);
    expect(shown(await look(gateway, "?handoff=shot-07"))).toEqual(["shot-07"]);
    expect(shown(await look(gateway, "?handoff=shot-99"))).toEqual([]);
    expect((await gateway.call("/?unknown=1")).code).toBe("invalid_request_shape");
  });

  test("a lease that has run out is no lease on the page either", async () => {
    let seconds = 1_000_000;
    const clock = { ...systemClock, wallSeconds: () => seconds };
    const gateway = await startGateway({ clock });
    await putSampleJob(gateway);
    const worker = await gateway.registerWorker();
    const body = { task_id: "shot-1.a", worker_id: worker.workerUuid };
    await post(gateway, "/q/claim", { token: worker.token, body });
    expect(await look(gateway)).toContain('data-state="leased"');
    seconds += 60;
    expect(await look(gateway)).not.toContain('data-state="leased"');
  });
});
