import type { z } from "zod";
import { BundleManifest } from "../../contracts/documents/bundle-manifest.ts";
import { EvidenceGateway, EvidenceIndex, ProvenanceRead } from "../../contracts/documents/evidence.ts";
import { Job } from "../../contracts/documents/job.ts";
import { ObjectEnvelope } from "../../contracts/documents/object.ts";
import { Receipt } from "../../contracts/documents/receipt.ts";
import { TaskRecord } from "../../contracts/documents/records.ts";
import { SlotResult } from "../../contracts/documents/slot-result.ts";
import { SlotTask } from "../../contracts/documents/slot-task.ts";
import { JsonObject, JsonValue } from "../../contracts/json-value.ts";
import { SubmitRequest } from "../../contracts/wire/queue.ts";

/** What a verdict reads. */
export const GUARDED = {
  BundleManifest,
  EvidenceGateway,
  EvidenceIndex,
  Job,
  ObjectEnvelope,
  ProvenanceRead,
  Receipt,
  SlotResult,
  SlotTask,
  SubmitRequest,
  TaskRecord,
};

/** Guards of the documents that a verdict reads, as expressions over src/core/json/guards.ts. */
export function guardsModule(): string {
  const used = new Set<string>();
  const lines = Object.entries(GUARDED).map(
    ([name, schema]) => `export const guard${name}: Guard = ${expression(schema, used)};`,
  );
  const names = [...used, "Guard"]
    .sort((left, right) => left.localeCompare(right))
    .map((name) => (name === "Guard" ? "type Guard" : name))
    .join(", ");
  return `// biome-ignore-all format: generated from the schemas by tools/generate.ts\n// biome-ignore-all lint/suspicious/noControlCharactersInRegex: patterns.ts says which and why\nimport { ${names} } from "../core/json/guards.ts";\n\n${lines.join("\n")}\n`;
}

function expression(schema: z.core.$ZodType, used: Set<string>): string {
  const call = (name: string, ...args: readonly string[]): string => {
    used.add(name);
    return `${name}(${args.join(", ")})`;
  };
  const inner = (one: z.core.$ZodType): string => expression(one, used);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const members = Object.entries(def.shape).map(([name, one]) => `${name}: ${inner(one)}`);
      return call(def.catchall === undefined ? "open" : "exact", `{ ${members.join(", ")} }`);
    }
    case "string": {
      const { least, most, patterns } = checksOf(def.checks);
      return call("text", `${least ?? 0}`, `${most ?? "Infinity"}`, ...patterns.map(String));
    }
    case "number": {
      if (!("format" in def) || def.format !== "safeint") throw new Error("numbers must be whole");
      const { least, most } = checksOf(def.checks);
      return call("int", `${least ?? Number.MIN_SAFE_INTEGER}`, `${most ?? Number.MAX_SAFE_INTEGER}`);
    }
    case "array": {
      const { least, most } = checksOf(def.checks);
      return call("list", inner(def.element), `${least ?? 0}`, `${most ?? "Infinity"}`);
    }
    case "tuple":
      return call("tuple", ...def.items.map(inner));
    case "union":
      return call("either", ...def.options.map(inner));
    case "nullable":
      return call("nullable", inner(def.innerType));
    case "literal":
      return call("oneOf", ...def.values.map((value) => JSON.stringify(value)));
    case "enum":
      return call("oneOf", ...Object.values(def.entries).map((value) => JSON.stringify(value)));
    case "boolean":
      used.add("bool");
      return "bool";
    case "unknown": {
      if (schema !== JsonValue && schema !== JsonObject) throw new Error("no guard for what may be anything");
      const name = schema === JsonValue ? "json" : "record";
      used.add(name);
      return name;
    }
    default:
      throw new Error(`no guard for a schema of ${def.type}`);
  }
}

function checksOf(checks: readonly z.core.$ZodCheck[] = []): {
  least: number | null;
  most: number | null;
  patterns: RegExp[];
} {
  let [least, most]: (number | null)[] = [null, null];
  const patterns: RegExp[] = [];
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check === "min_length") least = def.minimum;
    else if (def.check === "max_length") most = def.maximum;
    else if (def.check === "greater_than" && def.inclusive) least = Number(def.value);
    else if (def.check === "less_than" && def.inclusive) most = Number(def.value);
    else if (def.check === "string_format" && def.pattern !== undefined) patterns.push(def.pattern);
    else throw new Error(`no guard for a check of ${def.check}`);
  }
  return { least: least ?? null, most: most ?? null, patterns };
}
