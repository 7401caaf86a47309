import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { commonCodes, ROUTES } from "../../../contracts/routes.ts";
import { CHILD_METRICS, GATEWAY_METRICS, type MetricEntry } from "../../../contracts/telemetry.ts";
import { Metrics } from "../../../src/gateway/http/metrics.ts";
import { parsePrometheus } from "../../support/prometheus-text.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).min(1),
    }),
  ),
});

const alerts = Rules.parse(parse(read("deploy/monitoring/alerts.yaml"))).groups.flatMap(({ rules }) => rules);
const { panels } = Dashboard.parse(JSON.parse(read("deploy/monitoring/grafana-dashboard.json")));
const queries = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];
const ENTRIES: Record<string, MetricEntry> = { ...GATEWAY_METRICS, ...CHILD_METRICS };
/** Prometheus' own: whether a scrape succeeded. */
const OWN = ["up"];

/** Metrics of a query with the label values that it asks for. */
const used = (expr: string): { name: string; selector: string }[] =>
  [...expr.matchAll(/\b(render_handoff_\w+|process_\w+|nodejs_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = "", selector = ""]) => ({ name: name.replace(/_bucket$/, ""), selector }),
  );

test("every metric, label and label value of dashboard and alerts is one of the contract", () => {
  expect(queries.length).toBeGreaterThan(30);
  for (const expr of queries) {
    expect(used(expr), expr).not.toEqual([]);
    for (const { name, selector } of used(expr)) {
      if (OWN.includes(name)) continue;
      expect(Object.keys(ENTRIES), expr).toContain(name);
      for (const [, label = "", values = ""] of selector.matchAll(/(\w+)=~?"([^"]*)"/g)) {
        if (label === "job") continue;
        for (const value of values.split("|")) expect(ENTRIES[name]?.labels[label], expr).toContain(value);
      }
    }
    const labels = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
    const known = used(expr).flatMap(({ name }) => Object.keys(ENTRIES[name]?.labels ?? {}));
    for (const label of labels) expect([...known, "instance", "le"], expr).toContain(label);
  }
});

/** Label values that a selector asks for, each by itself; what is of Prometheus' own making is left out. */
const asked = (selector: string): [label: string, value: string][] =>
  [...selector.matchAll(/(\w+)=~?"([^"]*)"/g)].flatMap(([, label = "", values = ""]) =>
    label === "job" ? [] : values.split("|").map((value): [string, string] => [label, value]),
  );

test("every series that an alert or the dashboard asks of a gateway is told before anything has happened", async () => {
  const none = { tasks: 0, oldestSeconds: 0 };
  const fresh = parsePrometheus(
    await new Metrics(1_800_000_000).text({ eventsHeldSeconds: 0, ready: none, leased: none, expired: none }),
  );
  const wanted = queries.flatMap(used).filter(({ name }) => Object.hasOwn(GATEWAY_METRICS, name));
  expect(wanted.length).toBeGreaterThan(20);
  for (const { name, selector } of wanted) {
    const samples = fresh.find((family) => family.name === name)?.samples ?? [];
    expect(samples, name).not.toEqual([]);
    for (const [label, value] of asked(selector))
      expect(
        samples.map(({ labels }) => labels[label]),
        `${name}{${selector}}`,
      ).toContain(value);
  }
});

test("a counter begins with each of its series at 0, those of a route as far as its table lists them", async () => {
  const fresh = parsePrometheus(await new Metrics(1_800_000_000).text(null));
  const samplesOf = (name: string) => fresh.find((family) => family.name === name)?.samples ?? [];
  for (const [name, { type, labels }] of Object.entries(ENTRIES).filter(([key]) => key in GATEWAY_METRICS)) {
    if (type !== "counter" || name === "process_cpu_seconds_total") continue;
    expect(
      samplesOf(name).filter(({ value }) => value !== 0),
      name,
    ).toEqual([]);
    for (const [label, values] of Object.entries(labels))
      expect(new Set(samplesOf(name).map((sample) => sample.labels[label])), name).toEqual(new Set(values));
  }
  const codes = samplesOf("render_handoff_gateway_errors_total")
    .filter(({ labels }) => labels["route"] === "health")
    .map(({ labels }) => labels["code"]);
  expect(codes.sort()).toEqual([...commonCodes(ROUTES.health)].sort());
});

test("every metric of a gateway but what names the program stands in dashboard or alerts", () => {
  const seen = new Set(queries.flatMap(used).map(({ name }) => name));
  const silent = [
    "render_handoff_gateway_info",
    "render_handoff_gateway_removed_blobs_total",
    "process_start_time_seconds",
  ];
  expect(
    Object.keys(GATEWAY_METRICS)
      .filter((name) => !seen.has(name))
      .sort(),
  ).toEqual(silent.sort());
});

test("every alert has its entry in the runbook, and every entry its alert", () => {
  const runbook = read("docs/OPERATIONS.md").split("\n## Alerts\n")[1] ?? "";
  const headings = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook).toBe(`docs/OPERATIONS.md#${alert.toLowerCase()}`);
});
