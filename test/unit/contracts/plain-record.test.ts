import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { ChildResult } from "../../../contracts/documents/child-result.ts";
import { ContractManifest } from "../../../contracts/documents/contract-module.ts";
import { JoinReport } from "../../../contracts/documents/join-report.ts";
import { plainRecord } from "../../../contracts/plain-record.ts";
import { readConfig } from "../../../src/cli/read-config.ts";
import { parseStrict } from "../../../src/core/json/parse-strict.ts";

const hostile = (value: string): unknown => parseStrict(Buffer.from(`{"__proto__":${value}}`));

test.each([
  ["a child's timings", ChildResult.shape.timings_ms, "1"],
  ["a child's transport attempts", ChildResult.shape.transport_attempts, "1"],
  ["a report's timings", JoinReport.shape.timings_ms, "1"],
  ["a manifest's files", ContractManifest.shape.files, `"${"a".repeat(64)}"`],
])("%s with a member __proto__ are refused, not read without it", (_, schema: z.ZodType, value) => {
  expect(schema.safeParse({}).success).toBe(true);
  expect(schema.safeParse(hostile(value)).success).toBe(false);
});

test("a configuration file with a member __proto__ is refused, also where its value is an object", () => {
  expect(readConfig(Buffer.from('{"gateway":"http://localhost"}'))).toMatchObject({ ok: true });
  for (const value of ["1", '{"gateway":"x"}'])
    expect(readConfig(Buffer.from(`{"__proto__":${value}}`)).ok).toBe(false);
});

test("its JSON Schema is that of the record, and it is asked for like any other member", () => {
  const record = z.record(z.string(), z.int());
  const [plain, bare] = [plainRecord(record), record].map((one) =>
    z.toJSONSchema(z.strictObject({ one }), { io: "input" }),
  );
  expect(plain).toEqual(bare);
  expect(z.strictObject({ one: plainRecord(record) }).safeParse({}).success).toBe(false);
});

test("no record of a schema is read otherwise", () => {
  const root = join(import.meta.dirname, "../../..");
  const files = ["contracts", "src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(folder, path)),
  );
  const bare = files.filter((path) =>
    /(?<!plainRecord\(\s*)z\.(partialRecord|record|looseRecord)\((?!\))/.test(
      readFileSync(join(root, path), "utf8"),
    ),
  );
  expect(bare).toEqual([]);
});
