export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/i;

/**
 * Parses Prometheus' text format 0.0.4 strictly, as its documentation states it: HELP and TYPE once and
 * before the samples, no family in two places, no sample twice, escapes, a last newline, whole histograms.
 * Throws with the line.
 */
export function parsePrometheus(text: string): Family[] {
  if (!text.endsWith("\n")) throw new Error("no newline at the end");
  const families: { name: string; type: string; help: string; samples: Sample[] }[] = [];
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      if (!NAME.test(name) || families.some((family) => family.name === name)) throw new Error(line);
      families.push({ name, help: rest, type: "", samples: [] });
    } else if (keyword === "TYPE") {
      const family = families.at(-1);
      const known = /^(counter|gauge|histogram|summary|untyped)$/.test(rest);
      if (family?.name !== name || family.type !== "" || family.samples.length > 0 || !known)
        throw new Error(line);
      family.type = rest;
    } else {
      const sample = sampleOf(line, families.at(-1));
      families.at(-1)?.samples.push(sample);
    }
  }
  for (const family of families) checkFamily(family);
  return families;
}

function sampleOf(line: string, family: Family | undefined): Sample {
  const [, name = "", inner = "", value = ""] = SAMPLE.exec(line) ?? [];
  const own =
    family?.type === "histogram"
      ? [`${family.name}_bucket`, `${family.name}_sum`, `${family.name}_count`]
      : [];
  if (family === undefined || ![family.name, ...own].includes(name)) throw new Error(`stray line: ${line}`);
  const labels: Record<string, string> = {};
  let left = inner;
  while (left !== "") {
    const [whole = "", label = "", escaped = ""] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/.exec(left) ?? [];
    if (whole === "" || Object.hasOwn(labels, label)) throw new Error(`labels: ${line}`);
    labels[label] = escaped.replace(/\\(.)/g, (_, c: string) => (c === "n" ? "\n" : c));
    left = left.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

function checkFamily(family: Family): void {
  const seen = new Set(family.samples.map((sample) => JSON.stringify([sample.name, sample.labels])));
  if (seen.size !== family.samples.length) throw new Error(`${family.name}: a sample stands twice`);
  if (family.type === "counter" && family.samples.some(({ value }) => !(value >= 0)))
    throw new Error(`${family.name}: a counter below 0`);
  if (family.type !== "histogram") return;
  const series = Map.groupBy(family.samples, ({ labels: { le: _, ...rest } }) => JSON.stringify(rest));
  for (const samples of series.values()) {
    const buckets = samples.filter(({ name }) => name.endsWith("_bucket"));
    const bounds = buckets.map(({ labels }) => Number(String(labels["le"]).replace("Inf", "Infinity")));
    const count = samples.find(({ name }) => name.endsWith("_count"))?.value;
    const rising = buckets.every(({ value }, n) => n === 0 || value >= (buckets[n - 1]?.value ?? 0));
    const sorted = bounds.every((bound, n) => n === 0 || bound > (bounds[n - 1] ?? 0));
    if (!rising || !sorted || bounds.at(-1) !== Infinity || buckets.at(-1)?.value !== count)
      throw new Error(`${family.name}: no whole histogram`);
  }
}
