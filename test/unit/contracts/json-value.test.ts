import { expect, test } from "vitest";
import { z } from "zod";
import { isJson } from "../../../contracts/json.ts";
import { JsonObject, JsonValue } from "../../../contracts/json-value.ts";
import { parseStrict } from "../../../src/core/json/parse-strict.ts";

const HOSTILE = '{"__proto__":{"answer":42},"constructor":[null,true,1.5,"x"],"toJSON":{"":[]}}';

test("JSON comes through as the very value that came in, with every own key", () => {
  const value = parseStrict(Buffer.from(HOSTILE));
  const document = z.strictObject({ one: JsonValue, two: JsonObject });
  const read = document.parse({ one: value, two: value });
  expect(read.one).toBe(value);
  expect(read.two).toBe(value);
  expect(JSON.stringify(read.two)).toBe(HOSTILE);
});

test("a key __proto__ beside the members of a document is one too many", () => {
  const value = parseStrict(Buffer.from('{"one":1,"__proto__":1}'));
  expect(z.strictObject({ one: JsonValue }).safeParse(value).success).toBe(false);
});

const cycle: unknown[] = [];
cycle.push(cycle);
test.each([
  ["nothing", undefined],
  ["a function", () => {}],
  ["a big integer", 1n],
  ["no number", Number.NaN],
  ["an infinite number", [Number.POSITIVE_INFINITY]],
  ["a member without a value", { a: { b: undefined } }],
  ["what holds itself", cycle],
])("%s is no JSON, and an object with it no JSON object", (_, value) => {
  expect(JsonValue.safeParse(value).success).toBe(false);
  expect(JsonObject.safeParse({ value }).success).toBe(false);
});

test("a list is no JSON object, and a member that is not there no JSON value", () => {
  expect(JsonObject.safeParse([]).success).toBe(false);
  expect(z.strictObject({ one: JsonValue }).safeParse({}).success).toBe(false);
});

test("64 levels are JSON, 65 are not", () => {
  const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  expect([isJson(nested(64)), isJson(nested(65))]).toEqual([true, false]);
});

test("their JSON Schema takes anything, and any object", () => {
  const { properties, required } = z.toJSONSchema(z.strictObject({ one: JsonValue, two: JsonObject }));
  expect([properties, required]).toEqual([{ one: {}, two: { type: "object" } }, ["one", "two"]]);
});
