import { Gauge, Registry } from "prom-client";
import { type ChildResult, OUTCOMES } from "../../contracts/documents/child-result.ts";
import { CHILD_METRICS, type ChildMetric, type MetricEntry } from "../../contracts/telemetry.ts";
import { TOOL_VERSION } from "../../contracts/version.ts";
import type { Clock } from "../core/clock.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { writeDurable } from "../core/files/write-durable.ts";

/** A run of render-child, or of dispatch where nothing was due: then only the outcome is known. */
export type FinishedRun = Pick<ChildResult, "outcome" | "reason"> &
  Partial<Pick<ChildResult, "slot" | "timings_ms" | "transport_attempts">> & {
    /** That Blender finished. */
    readonly frames: number;
  };

const MOST_BYTES = 1024 * 1024;

/**
 * Writes the figures of a run for node_exporter's textfile collector: the whole file at once, never half of
 * it. From the file that is there are carried over what counts over runs (runs by outcome, last success), and
 * how the latest run of each other slot ended: a minute in which nothing was due is no end of a failure.
 */
export async function writeTextfile(
  path: string,
  run: FinishedRun,
  clock: Pick<Clock, "wallSeconds">,
): Promise<void> {
  const registry = new Registry();
  const slot = run.slot ?? "none";
  const gauges = new Map<string, Gauge>();
  for (const [name, { help, labels }] of Object.entries<MetricEntry>(CHILD_METRICS))
    gauges.set(name, new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] }));
  const set = (name: ChildMetric, labels: Record<string, string>, value: number): void =>
    gauges.get(name)?.set(labels, value);
  const before = await readCarried(path);
  for (const { name, labels, value } of before)
    if (OVER_RUNS.has(name) || labels["slot"] !== slot) set(name, labels, value);
  const earlier = (name: ChildMetric, labels: Record<string, string>): number =>
    before.find((one) => one.name === name && equal(one.labels, labels))?.value ?? 0;
  const now = clock.wallSeconds();
  set("render_handoff_child_info", { version: TOOL_VERSION, slot }, 1);
  set("render_handoff_child_last_run_timestamp_seconds", { slot }, now);
  const success = "render_handoff_child_last_success_timestamp_seconds";
  set(success, { slot }, run.outcome === "completed" ? now : earlier(success, { slot }));
  for (const outcome of OUTCOMES) {
    const own = outcome === run.outcome ? 1 : 0;
    set("render_handoff_child_outcome", { slot, outcome }, own);
    const total = "render_handoff_child_runs_total";
    set(total, { slot, outcome }, earlier(total, { slot, outcome }) + own);
  }
  const code = run.reason ?? "none";
  if (CHILD_METRICS.render_handoff_child_reason.labels.code.includes(code))
    set("render_handoff_child_reason", { slot, code }, 1);
  for (const [part, milliseconds] of Object.entries(run.timings_ms ?? {}))
    set("render_handoff_child_part_seconds", { slot, part }, milliseconds / 1_000);
  for (const [step, attempts] of Object.entries(run.transport_attempts ?? {}))
    set("render_handoff_child_transport_attempts", { slot, step }, attempts);
  set("render_handoff_child_frames", { slot }, run.frames);
  // the collector is another user
  await writeDurable(path, asCounters(await registry.metrics()), { mode: 0o644, exactly: true });
}

const OVER_RUNS: ReadonlySet<ChildMetric> = new Set([
  "render_handoff_child_last_success_timestamp_seconds",
  "render_handoff_child_runs_total",
] as const);
const CARRIED: readonly ChildMetric[] = [
  ...OVER_RUNS,
  "render_handoff_child_last_run_timestamp_seconds",
  "render_handoff_child_outcome",
  "render_handoff_child_reason",
];

/** A counter is set here to what it was and one more: the library's own can only be added to. */
const asCounters = (text: string): string =>
  text.replace(/^(# TYPE render_handoff_child_runs_total) gauge$/m, "$1 counter");

interface Carried {
  readonly name: ChildMetric;
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** What an earlier run of this program wrote; anything else in the file is not carried over. */
async function readCarried(path: string): Promise<Carried[]> {
  const read = await readCapped(path, MOST_BYTES);
  if (!read.ok) return [];
  const found: Carried[] = [];
  for (const line of read.bytes.toString("utf8").split("\n")) {
    const [, told, inner = "", value = ""] = /^([a-z_]+)\{([^}]*)\} (\d{1,15})$/.exec(line) ?? [];
    const name = CARRIED.find((one) => one === told);
    if (name === undefined) continue;
    const pairs = [...inner.matchAll(/([a-z]+)="(\w*)"/g)].map(([, label = "", text = ""]) => [label, text]);
    const labels: Record<string, string> = Object.fromEntries(pairs);
    if (isKnown(CHILD_METRICS[name], labels)) found.push({ name, labels, value: Number(value) });
  }
  return found;
}

const isKnown = (entry: MetricEntry, labels: Record<string, string>): boolean =>
  Object.keys(labels).length === Object.keys(entry.labels).length &&
  Object.entries(labels).every(([label, value]) => entry.labels[label]?.includes(value) === true);

const equal = (left: Record<string, string>, right: Record<string, string>): boolean =>
  Object.entries(right).every(([label, value]) => left[label] === value);
