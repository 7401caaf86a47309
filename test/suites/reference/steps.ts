import fc from "fast-check";
import type { Json } from "../../../contracts/json.ts";

/** One step of a sequence, in terms that hold whatever came before; `play-sequence.ts` makes it concrete. */
export type Step =
  | { readonly do: "enqueue"; readonly task: number; readonly payload: Json }
  | { readonly do: "claim"; readonly task: number; readonly worker: number }
  | {
      readonly do: "submit";
      readonly task: number;
      /** -1: the holder. */
      readonly worker: number;
      /** Added to the task's fence. */
      readonly fenceBy: number;
      readonly key: number;
      readonly result: Json;
      readonly form: (typeof FORMS)[number];
    }
  | { readonly do: "again"; readonly which: number; readonly change: (typeof CHANGES)[number] }
  | { readonly do: "malformed"; readonly task: number; readonly fault: number }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "to_expiry"; readonly task: number; readonly offset: number }
  | { readonly do: "restart" };

export const FORMS = ["canonical", "spaced", "reordered", "escaped"] as const;
export const CHANGES = ["none", "space", "worker", "fence", "result", "key"] as const;

/** Values that are worth trying every time: integers, keys of the basic plane, paired surrogates. */
const VALUES: readonly Json[] = [
  {},
  { answer: 42 },
  { b: [1, -2, 9_007_199_254_740_991], a: { é: "雪", "\u20ac": null } },
  ["", "\u0000\u001f\u007f", "\u2028", "😀", '"\\/'],
  "text",
  0,
  null,
  true,
  { "": { "": { "": [] } } },
  { __proto_: 1, constructor: -9_007_199_254_740_991 },
  Object.fromEntries([["__proto__", { answer: 42 }]]),
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("__proto__", "constructor", "toJSON", "10", "9", "\ue000", "\uffff"),
);
/** Beyond the basic plane the reference sorts keys otherwise (adapter.json, astral-key-order). */
const key = text.filter((one) => !/[\ud800-\udfff]/.test(one));
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    text,
    fc.array(tie("json"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("json")), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
  ),
}));
const value: fc.Arbitrary<Json> = fc.oneof(fc.constantFrom(...VALUES), json);
/** Those that the tasks begin with, so that the same comes again, and any other. */
const payload: fc.Arbitrary<Json> = fc.oneof(
  fc.nat({ max: 1 }).map((fixture) => ({ fixture })),
  value,
);

/** Bodies with one thing wrong; `$t` is the task, `$w` the worker, `$f` the fence. */
export const MALFORMED: readonly string[] = [
  "",
  "{",
  "[]",
  "null",
  '"text"',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":1,"more":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":1,"result":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":{"a":1,"\\u0061":2}}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":NaN}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":-Infinity}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":1e999}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":"\\ud800"}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":01}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":1,}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":0,"result":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":-1,"result":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":true,"result":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":"$f","result":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":null,"result":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":1.5,"result":1}',
  '{"task_id":"","worker_id":"$w","fencing_token":$f,"result":1}',
  '{"task_id":"$t","worker_id":"","fencing_token":$f,"result":1}',
  '{"task_id":7,"worker_id":"$w","fencing_token":$f,"result":1}',
  '{"task_id":"$t","worker_id":["$w"],"fencing_token":$f,"result":1}',
  '\ufeff{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":1}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":"\ttab"}',
  '{"task_id":"$t","worker_id":"$w","fencing_token":$f,"result":1} {}',
  "\u00ff-as-one-byte",
];

const task = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("enqueue"), task, payload }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("claim"), task, worker: fc.nat({ max: 2 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("submit"),
      task,
      worker: fc.constantFrom(-1, -1, -1, 0, 1, 2),
      fenceBy: fc.constantFrom(0, 0, 0, 0, -1, 1),
      key: fc.nat({ max: 2 }),
      result: value,
      form: fc.constantFrom(...FORMS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("again"),
      which: fc.nat({ max: 20 }),
      change: fc.constantFrom("none", "none", ...CHANGES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("malformed"),
      task,
      fault: fc.nat({ max: MALFORMED.length - 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait"), seconds: fc.constantFrom(1, 4, 9, 10, 11) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("to_expiry"), task, offset: fc.constantFrom(-1, 0, 0, 1) }),
  },
);
const restart: Step = { do: "restart" };

/** Sequences of steps; about one in 25 restarts both sides somewhere. */
export const sequences: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 24, arbitrary: fc.array(step, { minLength: 4, maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(step, { minLength: 4, maxLength: 15 }), fc.array(step, { minLength: 4, maxLength: 15 }))
      .map(([before, after]) => [...before, restart, ...after]),
  },
);
