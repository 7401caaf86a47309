import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHILD_METRICS, type ChildMetric, type MetricEntry } from "../../../contracts/telemetry.ts";
import { type FinishedRun, writeTextfile } from "../../../src/render-child/textfile.ts";
import { startGateway } from "../../support/gateway.ts";
import { parsePrometheus } from "../../support/prometheus-text.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const RUN: FinishedRun = {
  outcome: "completed",
  reason: null,
  slot: "a",
  frames: 3,
  timings_ms: { claim: 20, blender: 61_500 },
  transport_attempts: { claim: 1, upload: 2 },
};
const at = (seconds: number) => ({ wallSeconds: () => seconds });

/** A reader of the file as a collector would see it. */
function figures(path: string) {
  const families = parsePrometheus(readFileSync(path, "utf8"));
  const entries: Record<string, MetricEntry> = CHILD_METRICS;
  for (const { name, help, type, samples } of families) {
    expect([name, help, type]).toEqual([name, entries[name]?.help, entries[name]?.type]);
    for (const { labels } of samples)
      for (const [label, value] of Object.entries(labels))
        expect(entries[name]?.labels[label], `${name} ${label}`).toContain(value);
  }
  return (name: ChildMetric, labels: Record<string, string> = { slot: "a" }): number | undefined =>
    families
      .find((family) => family.name === name)
      ?.samples.find((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
      ?.value;
}

test("a run's figures are told whole, and what counts over runs is carried on", async () => {
  const path = join(await temporaryFolder(), "render-child-a.prom");
  await writeTextfile(path, RUN, at(1_000));
  const first = figures(path);
  expect(first("render_handoff_child_outcome", { slot: "a", outcome: "completed" })).toBe(1);
  expect(first("render_handoff_child_part_seconds", { part: "blender" })).toBe(61.5);
  expect(first("render_handoff_child_transport_attempts", { step: "upload" })).toBe(2);
  expect(first("render_handoff_child_frames")).toBe(3);
  await writeTextfile(path, { ...RUN, outcome: "failed", reason: "RENDER_BLENDER_PIN" }, at(2_000));
  await writeTextfile(path, { outcome: "no_due_job", reason: null, frames: 0 }, at(3_000));
  await writeTextfile(path, { ...RUN, outcome: "failed", reason: "RENDER_BLENDER_PIN" }, at(4_000));
  const last = figures(path);
  expect(last("render_handoff_child_last_success_timestamp_seconds")).toBe(1_000);
  expect(last("render_handoff_child_last_run_timestamp_seconds")).toBe(4_000);
  expect(last("render_handoff_child_reason")).toBe(1);
  expect(last("render_handoff_child_runs_total", { slot: "a", outcome: "completed" })).toBe(1);
  expect(last("render_handoff_child_runs_total", { slot: "a", outcome: "failed" })).toBe(2);
  expect(last("render_handoff_child_runs_total", { slot: "none", outcome: "no_due_job" })).toBe(1);
  expect(last("render_handoff_child_outcome", { slot: "a", outcome: "completed" })).toBe(0);
});

test("a minute in which nothing is due leaves what the latest run of a slot came to", async () => {
  const path = join(await temporaryFolder(), "render-child.prom");
  await writeTextfile(path, { ...RUN, outcome: "failed", reason: "RENDER_BLENDER_PIN" }, at(1_000));
  await writeTextfile(path, { outcome: "no_due_job", reason: null, frames: 0 }, at(2_000));
  const idle = figures(path);
  expect(idle("render_handoff_child_outcome", { slot: "a", outcome: "failed" })).toBe(1);
  expect(idle("render_handoff_child_reason", { slot: "a", code: "RENDER_BLENDER_PIN" })).toBe(1);
  expect(idle("render_handoff_child_last_run_timestamp_seconds")).toBe(1_000);
  expect(idle("render_handoff_child_last_run_timestamp_seconds", { slot: "none" })).toBe(2_000);
  await writeTextfile(path, RUN, at(3_000));
  const mended = figures(path);
  expect(mended("render_handoff_child_outcome", { slot: "a", outcome: "failed" })).toBe(0);
  expect(mended("render_handoff_child_reason", { slot: "a", code: "RENDER_BLENDER_PIN" })).toBe(undefined);
  expect(mended("render_handoff_child_outcome", { slot: "none", outcome: "no_due_job" })).toBe(1);
});

test("dispatch tells a hold in each run that finds nothing due, until it is cleared", async () => {
  const folder = await temporaryFolder();
  const gateway = await startGateway();
  const { token } = await gateway.registerWorker();
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const path = join(folder, "child.prom");
  const state = ["--state", join(folder, "state")];
  const entry = ["nights", "--slot", "a", "--job", "nope", "--gateway", gateway.url];
  await runCli("render-handoff", ["dispatch", "enqueue", ...entry, ...state]);
  const told = async (number: number) => {
    const output = ["--output", join(folder, `out-${number}`), "--metrics-file", path];
    await runCli("render-handoff", ["dispatch", "run", "--token-file", tokenFile, ...state, ...output]);
    return figures(path);
  };
  expect((await told(1))("render_handoff_child_outcome", { slot: "a", outcome: "failed" })).toBe(1);
  for (const minute of [2, 3]) {
    const figure = await told(minute);
    expect(figure("render_handoff_child_outcome", { slot: "none", outcome: "held" })).toBe(1);
    expect(figure("render_handoff_child_outcome", { slot: "a", outcome: "failed" })).toBe(1);
  }
  await runCli("render-handoff", ["dispatch", "unhold", "nights", ...state]);
  expect((await told(4))("render_handoff_child_outcome", { slot: "a", outcome: "failed" })).toBe(1);
});

test("the collector, another user, can read the file whatever the worker's umask", async () => {
  const path = join(await temporaryFolder(), "x.prom");
  const before = process.umask(0o077);
  try {
    await writeTextfile(path, RUN, at(1));
  } finally {
    process.umask(before);
  }
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

test("a file of somebody else's making is written over, and nothing of it is carried over", async () => {
  const path = join(await temporaryFolder(), "x.prom");
  writeFileSync(path, 'render_handoff_child_runs_total{slot="<b>",outcome="failed"} 7\nanything 1\n');
  await writeTextfile(path, RUN, at(1));
  expect(figures(path)("render_handoff_child_runs_total", { outcome: "failed" })).toBe(0);
});

test("render-child and dispatch write the file, and say before the run when they cannot", async () => {
  const gateway = await startGateway();
  const { token } = await gateway.registerWorker();
  const folder = await temporaryFolder();
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const path = join(folder, "child.prom");
  const common = ["--token-file", tokenFile, "--state", join(folder, "state")];
  const child = ["--slot", "a", "--gateway", gateway.url, "--drain-only", ...common];
  const run = await runCli("render-child", [...child, "--metrics-file", path]);
  expect(run.exit).toBe(0);
  expect(figures(path)("render_handoff_child_outcome", { outcome: "no_due_job" })).toBe(1);
  const dispatch = ["dispatch", "run", ...common, "--output", join(folder, "out"), "--metrics-file", path];
  expect((await runCli("render-handoff", dispatch)).exit).toBe(0);
  expect(figures(path)("render_handoff_child_runs_total", { slot: "none", outcome: "no_due_job" })).toBe(1);
  expect(figures(path)("render_handoff_child_runs_total", { slot: "a", outcome: "no_due_job" })).toBe(1);
  const nowhere = await runCli("render-child", [...child, "--metrics-file", join(folder, "none/child.prom")]);
  expect(nowhere).toMatchObject({ exit: 2, code: "USAGE_FOLDER_UNWRITABLE" });
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
});
