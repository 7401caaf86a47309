import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { LEASE_SECONDS, type OurStore } from "./our-store.ts";
import type { Operation, Played, Reference, Row } from "./python-reference.ts";
import { MALFORMED, type Step } from "./steps.ts";

/** An operation that both sides have played. */
export interface Compared {
  readonly operation: Operation;
  readonly before: Row | null;
  readonly reference: Played;
  readonly ours: Played;
}

interface Sent {
  readonly task: string;
  readonly raw: Buffer;
  readonly key: string;
}

/** Time of both sides; it goes on from sequence to sequence, as ours never goes back. */
export interface Time {
  now: number;
}

export interface Sides {
  readonly reference: Reference;
  readonly ours: OurStore;
  readonly time: Time;
  /** Begins the task ids, so that each sequence has tasks of its own. */
  readonly prefix: string;
}

/** Plays a sequence on both sides; what each operation came to. */
export async function playSequence(steps: readonly Step[], sides: Sides): Promise<Compared[]> {
  const { reference, ours, time } = sides;
  const rows = new Map<string, Row | null>();
  const sent: Sent[] = [];
  const compared: Compared[] = [];
  const nameOf = (task: number): string => `${sides.prefix}.${task}`;
  const rowOf = (task: number): Row | null => rows.get(nameOf(task)) ?? null;
  const both = async (operation: Operation): Promise<void> => {
    const before = rows.get(operation.task) ?? null;
    const [left, right] = [await reference.play(operation), await ours.play(operation)];
    rows.set(operation.task, left.row);
    compared.push({ operation, before, reference: left, ours: right });
  };
  const submit = (message: Sent): Promise<void> => both({ op: "submit", ...message, now: time.now });

  for (const task of [0, 1]) await both({ op: "enqueue", task: nameOf(task), payload: { fixture: task } });
  for (const step of steps) {
    switch (step.do) {
      case "enqueue":
        await both({ op: "enqueue", task: nameOf(step.task), payload: step.payload });
        break;
      case "claim":
        await both({
          op: "claim",
          task: nameOf(step.task),
          worker: workerName(step.worker),
          now: time.now,
          ttl: LEASE_SECONDS,
        });
        break;
      case "submit": {
        const row = rowOf(step.task);
        const body = {
          task_id: nameOf(step.task),
          worker_id: step.worker < 0 ? (row?.worker ?? workerName(0)) : workerName(step.worker),
          fencing_token: Math.max(1, (row?.fence ?? 0) + step.fenceBy),
          result: step.result,
        };
        const message = { task: body.task_id, raw: encode(body, step.form), key: `key-${step.key}` };
        sent.push(message);
        await submit(message);
        break;
      }
      case "again": {
        const message = sent[step.which % Math.max(1, sent.length)];
        if (message !== undefined) await submit(altered(message, step.change));
        break;
      }
      case "malformed":
        await submit({
          task: nameOf(step.task),
          raw: malformed(step, nameOf, rowOf(step.task)),
          key: "key-0",
        });
        break;
      case "wait":
        time.now += step.seconds;
        break;
      case "to_expiry": {
        const expires = rowOf(step.task)?.expires ?? null;
        if (expires !== null) time.now = Math.max(time.now, expires + step.offset);
        break;
      }
      case "restart":
        await reference.restart();
        await ours.restart();
    }
  }
  time.now += LEASE_SECONDS;
  return compared;
}

const workerName = (worker: number): string => `worker-${"abc"[worker] ?? "a"}`;

type SubmitStep = Extract<Step, { do: "submit" }>;

function encode(body: Record<string, unknown>, form: SubmitStep["form"]): Buffer {
  switch (form) {
    case "canonical":
      return canonicalBytes(body);
    case "spaced":
      return Buffer.from(` ${JSON.stringify(body, null, 2)}\r\n\t`);
    case "reordered":
      return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(body).reverse())));
    case "escaped":
      return Buffer.from(
        JSON.stringify(body).replace(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        ),
      );
  }
}

function altered(message: Sent, change: Extract<Step, { do: "again" }>["change"]): Sent {
  const text = message.raw.toString("utf8");
  const body = (): Record<string, unknown> => JSON.parse(text);
  switch (change) {
    case "none":
      return message;
    case "key":
      return { ...message, key: "key-other" };
    case "space":
      return { ...message, raw: Buffer.from(`${text} `) };
    case "worker":
      return { ...message, raw: canonicalBytes({ ...body(), worker_id: "worker-z" }) };
    case "fence":
      return { ...message, raw: canonicalBytes({ ...body(), fencing_token: 99 }) };
    case "result":
      return { ...message, raw: canonicalBytes({ ...body(), result: { other: 1 } }) };
  }
}

function malformed(
  step: Extract<Step, { do: "malformed" }>,
  nameOf: (task: number) => string,
  row: Row | null,
): Buffer {
  const text = (MALFORMED[step.fault] ?? "")
    .replace("$t", nameOf(step.task))
    .replace("$w", row?.worker ?? "worker-a")
    .replace("$f", String(Math.max(1, row?.fence ?? 1)));
  // the one that begins so goes out as a byte that is no UTF-8
  return text.startsWith("\u00ff") ? Buffer.from(text, "latin1") : Buffer.from(text, "utf8");
}
