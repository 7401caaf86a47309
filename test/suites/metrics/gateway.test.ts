import { describe, expect, test } from "vitest";
import { GATEWAY_METRICS, type MetricEntry, REQUEST_ID } from "../../../contracts/telemetry.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import type { Logger } from "../../../src/core/logger.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { putSampleJob, sampleJob, winSlot } from "../../support/gateway-job.ts";
import { type Family, parsePrometheus } from "../../support/prometheus-text.ts";
import { outside, post } from "../gateway/route-calls.ts";

const families = async (gateway: TestGateway): Promise<Family[]> =>
  parsePrometheus((await gateway.call("/metrics", { token: null })).bytes.toString("utf8"));

/** A sample's value; undefined when it is not told. */
async function told(
  gateway: TestGateway,
  name: keyof typeof GATEWAY_METRICS,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const samples = (await families(gateway)).find((family) => family.name === name)?.samples ?? [];
  return samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value;
}

/** A gateway at a clock that the test moves, with waiting that is real. */
async function steered(logger?: Logger) {
  let now = 1_800_000_000;
  const clock = {
    ...systemClock,
    wallSeconds: () => now,
    advance: (seconds: number) => {
      now += seconds;
    },
  };
  const gateway = await startGateway({ clock, ...(logger === undefined ? {} : { logger }) });
  return { clock, gateway };
}

/** Everything that the metrics count, in one short life of a gateway. */
async function busyLife(gateway: TestGateway, advance: (seconds: number) => void) {
  const worker = await gateway.registerWorker("one");
  const other = await gateway.registerWorker("two");
  const job = await putSampleJob(gateway, sampleJob({ job_id: "scene-of-a-secret" }));
  const { body, receipt } = await winSlot(gateway, worker, { job, slot: "a" });
  const again = await post(gateway, "/q/submit", {
    token: worker.token,
    body,
    headers: { "idempotency-key": "key-1" },
  });
  expect(again.bytes).toEqual(receipt);
  const slotB = { task_id: `${job.job_id}.b`, worker_id: other.workerUuid };
  const claim = { token: other.token, body: slotB, headers: { "idempotency-key": "claim-1" } };
  expect((await post(gateway, "/q/claim", claim)).status).toBe(200);
  expect((await post(gateway, "/q/claim", claim)).headers["idempotent-replayed"]).toBe("true");
  const held = { ...slotB, fencing_token: 1 };
  expect(
    (await post(gateway, "/q/heartbeat", { token: other.token, body: { ...held, progress: null } })).status,
  ).toBe(200);
  advance(61);
  expect(
    (await post(gateway, "/q/heartbeat", { token: other.token, body: { ...held, progress: null } })).code,
  ).toBe("stale_or_invalid_lease");
  expect((await post(gateway, "/q/claim", { token: other.token, body: slotB })).status).toBe(200);
  expect((await post(gateway, "/q/claim", { token: other.token, body: slotB })).code).toBe("already_leased");
  await gateway.call(`/q/blob/${sha256("BLENDER-v304 no real scene")}`, { headers: { range: "bytes=0-9" } });
  await gateway.call("/no/such/route", { token: null });
  return { worker, other, job };
}

describe("metrics of a gateway", () => {
  test("every figure has the value that its story gives it", async () => {
    const { clock, gateway } = await steered();
    await busyLife(gateway, (seconds) => clock.advance(seconds));
    const name = "render_handoff_gateway";
    expect(await told(gateway, `${name}_claims_total`, { outcome: "new" })).toBe(3);
    expect(await told(gateway, `${name}_claims_total`, { outcome: "replayed" })).toBe(1);
    expect(await told(gateway, `${name}_lease_expiries_total`)).toBe(1);
    expect(await told(gateway, `${name}_conflicts_total`, { code: "already_leased" })).toBe(1);
    expect(await told(gateway, `${name}_conflicts_total`, { code: "stale_or_invalid_lease" })).toBe(1);
    expect(await told(gateway, `${name}_stale_refusals_total`, { route: "heartbeat" })).toBe(1);
    expect(await told(gateway, `${name}_submits_total`, { outcome: "accepted" })).toBe(1);
    expect(await told(gateway, `${name}_submits_total`, { outcome: "replayed" })).toBe(1);
    expect(await told(gateway, `${name}_blob_bytes_total`, { direction: "in" })).toBe(26 + 14);
    expect(await told(gateway, `${name}_blob_bytes_total`, { direction: "out" })).toBe(10);
    expect(await told(gateway, `${name}_requests_total`, { route: "unknown", status: "404" })).toBe(1);
    expect(await told(gateway, `${name}_store_up`)).toBe(1);
    expect(await told(gateway, `${name}_tasks`, { state: "leased" })).toBe(1);
  });

  test("the queue is told by state with the age of what has stood longest; done tasks are not in it", async () => {
    const { clock, gateway } = await steered();
    const tasks = () =>
      Promise.all(
        (["ready", "leased", "expired"] as const).map(async (state) => [
          await told(gateway, "render_handoff_gateway_tasks", { state }),
          await told(gateway, "render_handoff_gateway_oldest_task_seconds", { state }),
        ]),
      );
    expect(await tasks()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    const worker = await gateway.registerWorker();
    const job = await putSampleJob(gateway);
    clock.advance(100);
    expect(await tasks()).toEqual([
      [2, 100],
      [0, 0],
      [0, 0],
    ]);
    const body = { task_id: `${job.job_id}.a`, worker_id: worker.workerUuid };
    await post(gateway, "/q/claim", { token: worker.token, body });
    clock.advance(7);
    expect(await tasks()).toEqual([
      [1, 107],
      [1, 7],
      [0, 0],
    ]);
    clock.advance(60);
    expect(await tasks()).toEqual([
      [1, 167],
      [0, 0],
      [1, 7],
    ]);
    await post(gateway, "/q/claim", { token: worker.token, body });
    const release = { ...body, fencing_token: 2, reason: "RENDER_CRASHED" };
    expect((await post(gateway, "/q/release", { token: worker.token, body: release })).status).toBe(200);
    outside(gateway, "UPDATE tasks SET state = 'done', result = '1', worker_id = 'x' WHERE slot = 'b'");
    clock.advance(3);
    expect(await tasks()).toEqual([
      [1, 3],
      [0, 0],
      [0, 0],
    ]);
  });

  test("only names and label values of the contract are told, each with its help and type", async () => {
    const { clock, gateway } = await steered();
    await busyLife(gateway, (seconds) => clock.advance(seconds));
    const found = await families(gateway);
    const entries: Record<string, MetricEntry> = GATEWAY_METRICS;
    expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(entries).sort());
    for (const { name, help, type, samples } of found) {
      expect([name, help, type]).toEqual([name, entries[name]?.help, entries[name]?.type]);
      for (const {
        labels: { le: _, ...labels },
      } of samples)
        for (const [label, value] of Object.entries(labels))
          expect(entries[name]?.labels[label], `${name} ${label}`).toContain(value);
    }
    expect(found.flatMap(({ samples }) => samples).length).toBeGreaterThan(60);
  });

  test("a store that fails is a figure, not a failed scrape", async () => {
    const { gateway } = await steered();
    expect(await told(gateway, "render_handoff_gateway_tasks", { state: "ready" })).toBe(0);
    outside(gateway, "ALTER TABLE tasks RENAME TO tasks_gone");
    expect(await told(gateway, "render_handoff_gateway_store_up")).toBe(0);
    expect(await told(gateway, "render_handoff_gateway_tasks", { state: "ready" })).toBeUndefined();
  });

  test("two gateways in one process count for themselves", async () => {
    const first = await startGateway();
    const second = await startGateway();
    await first.call("/healthz");
    const labels = { route: "health", status: "200" };
    expect(await told(first, "render_handoff_gateway_requests_total", labels)).toBe(1);
    expect(await told(second, "render_handoff_gateway_requests_total", labels)).toBe(0);
  });

  test("log lines carry request id and step, and neither they nor the metrics a token or a name of the scene", async () => {
    const lines: string[] = [];
    const logger: Logger = {
      log: (level, event, fields) => lines.push(JSON.stringify({ level, event, ...fields })),
    };
    const { clock, gateway } = await steered(logger);
    const { worker, other } = await busyLife(gateway, (seconds) => clock.advance(seconds));
    const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "request");
    for (const { request_id } of requests) expect(request_id).toMatch(REQUEST_ID);
    const steps = Object.fromEntries(requests.map(({ route, step }) => [route, step]));
    expect(steps).toMatchObject({ claim: "claim", putBlob: "upload", submit: "submit", heartbeat: "render" });
    const text = (await gateway.call("/metrics", { token: null })).bytes.toString("utf8");
    for (const secret of [gateway.adminToken, worker.token, other.token, "scene.blend"])
      expect(`${lines.join("\n")}\n${text}`).not.toContain(secret);
    expect(text).not.toContain("scene-of-a-secret");
  });
});

describe("the parser of the tests", () => {
  test.each([
    ["no newline at the end", "# HELP a x\n# TYPE a gauge\na 1"],
    ["a sample before its family", "a 1\n"],
    ["a type twice", "# HELP a x\n# TYPE a gauge\n# TYPE a gauge\n"],
    [
      "a family in two places",
      "# HELP a x\n# TYPE a gauge\na 1\n# HELP b x\n# TYPE b gauge\nb 1\n# HELP a x\n",
    ],
    ["a sample twice", '# HELP a x\n# TYPE a gauge\na{l="1"} 1\na{l="1"} 2\n'],
    ["a label twice", '# HELP a x\n# TYPE a gauge\na{l="1",l="1"} 1\n'],
    ["an open quote", '# HELP a x\n# TYPE a gauge\na{l="1} 1\n'],
    ["no number", "# HELP a x\n# TYPE a gauge\na one\n"],
    [
      "a histogram without its last bucket",
      '# HELP a x\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
    ],
  ])("refuses %s", (_what, text) => {
    expect(() => parsePrometheus(text)).toThrow();
  });
});
