import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { WIRE_CODES } from "../../../contracts/codes/wire.ts";
import { commonCodes, ROUTES } from "../../../contracts/routes.ts";
import {
  DEPTH_STATES,
  GATEWAY_METRICS,
  type GatewayMetric,
  type MetricEntry,
} from "../../../contracts/telemetry.ts";
import { TOOL_VERSION } from "../../../contracts/version.ts";
import { type Route, statusesOf } from "../../../contracts/wire/route.ts";
import type { QueueDepth } from "../queue/depth.ts";
import { processFigures } from "./process-figures.ts";

/** What is told of one answered request; `seconds` is null where its time says nothing (a stream of events). */
export interface Answered {
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  readonly seconds: number | null;
}

type LabelsOf<K extends GatewayMetric> = Readonly<
  Record<keyof (typeof GATEWAY_METRICS)[K]["labels"], string>
>;

/** Figures of one process; names and label values are those of contracts/telemetry.ts alone. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly counters = new Map<string, Counter>();
  private readonly gauges = new Map<string, Gauge>();
  private readonly durations: Histogram;
  private readonly startedAt: number;
  private begun = false;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
    for (const [name, entry] of Object.entries<MetricEntry>(GATEWAY_METRICS)) {
      const options = { ...described(name, entry), registers: [this.registry] };
      if (entry.type === "counter") this.counters.set(name, new Counter(options));
      if (entry.type === "gauge") this.gauges.set(name, new Gauge(options));
    }
    const name = "render_handoff_gateway_request_duration_seconds";
    const { buckets, labels } = GATEWAY_METRICS[name];
    this.durations = new Histogram({
      ...described(name, GATEWAY_METRICS[name]),
      buckets: [...buckets],
      registers: [this.registry],
    });
    // the time of a stream of events is not told
    for (const route of labels.route) if (route !== "events") this.durations.zero({ route });
    this.gauge("render_handoff_gateway_info", { version: TOOL_VERSION }, 1);
  }

  answered({ route, status, code, seconds }: Answered): void {
    const told: readonly string[] = GATEWAY_METRICS.render_handoff_gateway_requests_total.labels.status;
    const known = told.includes(String(status)) ? String(status) : "other";
    this.add("render_handoff_gateway_requests_total", { route, status: known });
    if (seconds !== null) this.durations.observe({ route }, seconds);
    if (code === null) return;
    this.add("render_handoff_gateway_errors_total", { route, code });
    if (GATEWAY_METRICS.render_handoff_gateway_conflicts_total.labels.code.includes(code))
      this.add("render_handoff_gateway_conflicts_total", { code });
    if (code === "stale_or_invalid_lease") this.add("render_handoff_gateway_stale_refusals_total", { route });
  }

  /** Adds to a counter. */
  add<K extends GatewayMetric>(name: K, labels: LabelsOf<K>, by = 1): void {
    this.counters.get(name)?.inc({ ...labels }, by);
  }

  /** Prometheus text. `depth` is null when the store did not answer. */
  async text(depth: QueueDepth | null): Promise<string> {
    if (!this.begun) this.begin();
    this.gauge("render_handoff_gateway_store_up", {}, depth === null ? 0 : 1);
    for (const state of DEPTH_STATES) {
      if (depth === null) {
        this.gauges.get("render_handoff_gateway_tasks")?.remove({ state });
        this.gauges.get("render_handoff_gateway_oldest_task_seconds")?.remove({ state });
        continue;
      }
      this.gauge("render_handoff_gateway_tasks", { state }, depth[state].tasks);
      this.gauge("render_handoff_gateway_oldest_task_seconds", { state }, depth[state].oldestSeconds);
    }
    if (depth === null) this.gauges.get("render_handoff_gateway_events_held_seconds")?.reset();
    else this.gauge("render_handoff_gateway_events_held_seconds", {}, depth.eventsHeldSeconds);
    const figures = await processFigures();
    this.gauge("process_start_time_seconds", {}, this.startedAt);
    this.gauge("process_resident_memory_bytes", {}, figures.residentBytes);
    this.gauge("nodejs_heap_size_used_bytes", {}, figures.heapBytes);
    if (figures.openFiles !== null) this.gauge("process_open_fds", {}, figures.openFiles);
    this.counters.get("process_cpu_seconds_total")?.reset();
    this.add("process_cpu_seconds_total", {}, figures.cpuSeconds);
    return this.registry.metrics();
  }

  /**
   * Tells every series of a counter from the first scrape on: Prometheus takes one that appears at 1 for one that
   * has not increased, and an alert would miss the first event.
   */
  private begin(): void {
    this.begun = true;
    for (const [name, { labels }] of Object.entries<MetricEntry>(GATEWAY_METRICS))
      for (const series of combinations(labels)) if (canBe(series)) this.counters.get(name)?.inc(series, 0);
  }

  private gauge<K extends GatewayMetric>(name: K, labels: LabelsOf<K>, value: number): void {
    this.gauges.get(name)?.set({ ...labels }, value);
  }
}

const described = (name: string, entry: MetricEntry) => ({
  name,
  help: entry.help,
  labelNames: Object.keys(entry.labels),
});

const TABLES: ReadonlyMap<string, Route> = new Map(Object.entries(ROUTES));

/** Whether the table of the series' route lists its code, or its status; of an unknown route any can be. */
function canBe({ route = "", code, status }: Readonly<Record<string, string>>): boolean {
  const table = TABLES.get(route);
  if (table === undefined) return true;
  const codes = [...table.codes, ...commonCodes(table)];
  if (code !== undefined) return codes.some((listed) => listed === code);
  if (status === undefined || Object.hasOwn(statusesOf(table), status)) return true;
  return codes.some((listed) => String(WIRE_CODES[listed].http) === status);
}

const combinations = (labels: MetricEntry["labels"]): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (found, [label, values]) => found.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
