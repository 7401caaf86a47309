import { expect, test } from "vitest";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { readAdapter } from "./adapter.ts";
import { LEASE_SECONDS, openOurs } from "./our-store.ts";
import { seedText } from "./python-reference.ts";

interface SampleLedger {
  readonly leases: { readonly task_id: string; readonly leased_by: string; readonly fencing_token: number }[];
  readonly submits: {
    readonly task_id: string;
    readonly fencing_token: number;
    readonly idempotency_key: string;
    readonly payload: string;
    readonly expected: string;
  }[];
}

const seed002 = seedText("002");

test.skipIf(seed002 === null)("the module's sample ledger comes out as its adapter maps it", async () => {
  const ledger: SampleLedger = JSON.parse(seed002 ?? "").files["sample_ledger.json"];
  const { ledger_outcomes } = readAdapter();
  const ours = await openOurs();
  const owners = new Map<number, string>();
  let now = 100;
  for (const lease of ledger.leases) {
    await ours.play({ op: "enqueue", task: lease.task_id, payload: {} });
    const taken = await ours.play({
      op: "claim",
      task: lease.task_id,
      worker: lease.leased_by,
      now,
      ttl: LEASE_SECONDS,
    });
    expect(taken.row?.fence).toBe(lease.fencing_token);
    owners.set(lease.fencing_token, lease.leased_by);
    now += LEASE_SECONDS;
  }
  const receipts: unknown[] = [];
  for (const submit of ledger.submits) {
    const raw = canonicalBytes({
      task_id: submit.task_id,
      worker_id: owners.get(submit.fencing_token),
      fencing_token: submit.fencing_token,
      result: submit.payload,
    });
    const played = await ours.play({
      op: "submit",
      task: submit.task_id,
      raw,
      key: submit.idempotency_key,
      now: now - 1,
    });
    expect(played.code, submit.expected).toBe(ledger_outcomes[submit.expected]);
    if (submit.expected === "accepted" || submit.expected === "duplicate_key_same_receipt")
      receipts.push(played.value);
  }
  expect(ledger.submits.map((submit) => submit.expected).sort()).toEqual(Object.keys(ledger_outcomes).sort());
  expect(new Set(receipts).size).toBe(1);
});
