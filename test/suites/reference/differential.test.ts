import fc from "fast-check";
import { expect, test } from "vitest";
import { scaled, testSeed } from "../../support/scale.ts";
import { expectedCode, readAdapter } from "./adapter.ts";
import { openOurs } from "./our-store.ts";
import { type Compared, playSequence } from "./play-sequence.ts";
import { seedText, startReference } from "./python-reference.ts";
import { sequences } from "./steps.ts";

// Rules 1 to 7 against the Python reference, with the same clock on both sides.

const adapter = readAdapter();
const SEQUENCES = scaled(3_000, 30_000);
const seed000 = seedText("000");

/** What differs beyond the adapter, as text; null when nothing does. */
function difference({ operation, before, reference, ours }: Compared): string | null {
  const state = before?.state ?? "absent";
  const code = expectedCode(adapter, { operation: operation.op, reference: reference.code, before: state });
  if (code !== ours.code)
    return `${operation.op} of a task ${state}: reference ${reference.code}, expected ${code}, here ${ours.code}`;
  expect(ours.row, "the task after the operation").toEqual(reference.row);
  if (reference.code !== "ok" && before !== null)
    expect(ours.row, "a refusal changes nothing").toEqual(before);
  if (ours.code !== "ok") return null;
  const added = adapter.operations.find((row) => row.operation === operation.op)?.added_fields ?? [];
  if (operation.op === "claim" && typeof ours.value === "object" && ours.value !== null) {
    const fields = Object.entries(ours.value).filter(([name]) => !added.includes(name));
    expect(Object.fromEntries(fields)).toEqual(reference.value);
  } else if (operation.op === "submit") expect(ours.value).toBe(reference.value);
  return null;
}

test.skipIf(seed000 === null)(
  "random sequences give the reference's outcomes, task states and receipt bytes",
  { timeout: scaled(300_000, 3_000_000) },
  async () => {
    const reference = await startReference(seed000 ?? "");
    const ours = await openOurs();
    const time = { now: 100 };
    const outcomes = new Map<string, number>();
    let played = 0;
    const seed = testSeed();
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => {
        played += 1;
        const compared = await playSequence(steps, { reference, ours, time, prefix: `t${played}` });
        for (const one of compared) {
          expect(difference(one)).toBe(null);
          const name = `${one.operation.op} ${one.ours.code}`;
          outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
        }
      }),
      { numRuns: SEQUENCES, seed },
    );
    const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `reference: ${played} sequences, ${total} operations, seed ${seed}; ${[...outcomes].map((row) => row.join(" ")).join(", ")}`,
    );
    const seen = new Set(outcomes.keys());
    const expected = adapter.outcomes
      .filter((row) => row.when !== "absent")
      .map((row) => `${row.operation} ${row.code}`);
    expect(
      expected.filter((name) => !seen.has(name)),
      "outcomes that no sequence reached",
    ).toEqual([]);
  },
);

test("the reference is looked for beside the project, and its absence is said", () => {
  if (seed000 === null) console.log("reference: skipped, ../shared/seeds/000* is not on this machine");
  expect(adapter.module).toBe("fencing-idempotency");
});
