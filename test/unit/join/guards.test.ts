import { globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { bundleFromBuffer, extractMember, readBundle } from "../../../src/bundle/read.ts";
import { type Json, parseStrict } from "../../../src/core/json/parse-strict.ts";
import { KIND } from "../../../src/join/documents.ts";

/** Every JSON value in the committed evidence cases, good and bad, and those inside them. */
function samples(): Json[] {
  const root = join(import.meta.dirname, "../../../fixtures/evidence");
  const paths = globSync("**/*.json", { cwd: root }).map((path) => join(root, path));
  const files = paths.filter((path) => statSync(path).isFile() && dirname(path) !== root);
  const all = [...evidence().values(), manifest(), ...files.map((path) => readFileSync(path))];
  const texts = new Set(all.map((bytes) => bytes.toString("latin1")));
  return [...texts].flatMap((text) => {
    try {
      return parts(parseStrict(Buffer.from(text, "latin1")));
    } catch {
      return []; // no JSON: nothing to guard
    }
  });
}

/** A document, and what it has inside: results and payloads are documents too. */
const parts = (value: Json): Json[] =>
  typeof value === "object" && value !== null ? [value, ...Object.values(value)] : [];

function manifest(): Buffer {
  const bundle = bundleFromBuffer(evidence().get("slots/a/bundle.zip") ?? Buffer.alloc(0));
  const caps = { bundleBytes: 2 ** 20, memberBytes: 2 ** 20, totalBytes: 2 ** 24 };
  const read = readBundle(bundle, { members: null, caps });
  const member = read.ok ? read.members.find(({ name }) => name === "manifest.json") : undefined;
  const bytes = member === undefined ? null : extractMember(bundle, member);
  if (bytes?.ok !== true) throw new Error("the good case has no manifest");
  return bytes.bytes;
}

/** The value with one place changed, one by one: other types, other values, members taken away and added. */
function* changed(value: Json): Generator<Json> {
  yield* [null, "", "x", -1, 0, 1.5, true, [], {}];
  if (typeof value === "string") yield* [`${value}x`, value.slice(1), value.toUpperCase(), `${value}\n`];
  if (typeof value === "number") yield* [-value, value + 1, value * 2 ** 40];
  if (Array.isArray(value)) {
    yield* [value.slice(1), [...value, ...value], [...value, null]];
    for (const [at, one] of value.entries()) for (const other of changed(one)) yield value.with(at, other);
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, another: 1 };
    for (const [name, one] of Object.entries(value)) {
      const { [name]: _, ...rest } = value;
      yield rest;
      for (const other of changed(one)) yield { ...value, [name]: other };
    }
  }
}

const SAMPLES = samples();

describe.each(Object.entries(KIND))("the guard of %s", (_, { guard, schema }) => {
  it("says yes to what the schema takes, and never to what it refuses, also changed in one place", async () => {
    const judge = await schema();
    const good = SAMPLES.filter((value) => judge.safeParse(value).success);
    expect(good.length).toBeGreaterThan(0);
    for (const value of SAMPLES) {
      const parsed = judge.safeParse(value);
      if (guard(value) !== parsed.success) expect(guard(value), JSON.stringify(value)).toBe(parsed.success);
    }
    const first = good[0] ?? null;
    for (const value of changed(first))
      if (guard(value) !== judge.safeParse(value).success)
        expect(guard(value), JSON.stringify(value)).toBe(judge.safeParse(value).success);
  });
});

it.each([
  ["inside a result is a key like any other", '"result":{"__proto__":1}', true],
  ["beside the members is one too many", '"result":1,"__proto__":1', false],
])("a member __proto__ %s, to guard and schema alike", async (_, members, fits) => {
  const { guard, schema } = KIND.submitRequest;
  const hostile = parseStrict(Buffer.from(`{"task_id":"a","worker_id":"b","fencing_token":1,${members}}`));
  expect([guard(hostile), (await schema()).safeParse(hostile).success]).toEqual([fits, fits]);
});
