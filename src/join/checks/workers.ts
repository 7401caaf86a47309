import type { EvidenceGateway } from "../../../contracts/documents/evidence.ts";
import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Policy } from "../../../contracts/documents/policy.ts";
import { WORKER_UUID } from "../../../contracts/patterns.ts";
import { secondsOf } from "../../core/clock.ts";
import type { Facts, SlotFacts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

/** Check `workers`: ids valid and issued, one per slot, distinct over the slots, not revoked before. */
export function checkWorkers({ gateway, slots }: Facts, policy: Policy): Finding[] {
  return [
    ...[slots.a, slots.b].flatMap((slot) => [
      ...oneWorker(slot),
      ...(gateway === null ? [] : issued(slot, gateway)),
    ]),
    ...distinct({ a: winnerOf(slots.a), b: winnerOf(slots.b) }, gateway, policy),
  ];
}

/** The worker whose result was accepted, as the gateway's receipt says. */
export const winnerOf = (slot: SlotFacts): string | null => slot.receipt?.value.worker_id ?? null;

const recordOf = (gateway: EvidenceGateway | null, worker: string) =>
  gateway?.workers.find((record) => record.worker_uuid === worker) ?? null;

export const operatorOf = (gateway: EvidenceGateway | null, worker: string | null): string | null =>
  worker === null ? null : (recordOf(gateway, worker)?.operator ?? null);

function oneWorker(facts: SlotFacts): Finding[] {
  const { slot, task, request, bundle } = facts;
  const expected = winnerOf(facts);
  if (expected === null) return [];
  const named: [string, string | null | undefined][] = [
    ["task.json#/worker_id", task?.value.worker_id],
    ["request.json#/worker_id", request?.worker_id],
    ["bundle.zip#manifest.json/worker_uuid", bundle?.manifest?.value.worker_uuid],
    ...(["before", "after"] as const).map((when): [string, string | undefined] => [
      `provenance.${when}.json#/envelope/worker_uuid`,
      ownEnvelope(facts, when)?.worker_uuid,
    ]),
  ];
  return named
    .filter(([, actual]) => actual !== undefined && actual !== expected)
    .map(([path, actual]) =>
      finding("JOIN_WORKER_MISMATCH", {
        slot,
        path: slotPath(slot, path),
        expected,
        actual: actual ?? "none",
      }),
    );
}

const ownEnvelope = (facts: SlotFacts, when: "before" | "after") => {
  const envelope = facts[when]?.envelope;
  return envelope?.shape === "own" ? envelope.value : null;
};

function issued(facts: SlotFacts, gateway: EvidenceGateway): Finding[] {
  const { slot } = facts;
  const worker = winnerOf(facts);
  if (worker === null) return [];
  const path = slotPath(slot, "receipt.json#/worker_id");
  if (!WORKER_UUID.test(worker))
    return [finding("JOIN_WORKER_INVALID", { slot, path, expected: "w_ and a UUID", actual: worker })];
  const record = recordOf(gateway, worker);
  if (record === null)
    return [finding("JOIN_WORKER_INVALID", { slot, path, expected: "an issued id", actual: worker })];
  const created = ownEnvelope(facts, "before")?.created_at;
  if (record.revoked_at === null || created === undefined) return [];
  // at the very second of the revocation nobody can prove that the result came first
  const since = (secondsOf(created) ?? Number.MAX_VALUE) < (secondsOf(record.revoked_at) ?? 0);
  return [
    finding(since ? "JOIN_WORKER_REVOKED_SINCE" : "JOIN_WORKER_REVOKED", {
      slot,
      path: "gateway.json#/workers",
      expected: `a revocation after ${created}`,
      actual: record.revoked_at,
    }),
  ];
}

function distinct(
  winners: { a: string | null; b: string | null },
  gateway: EvidenceGateway | null,
  policy: Policy,
): Finding[] {
  const { a, b } = winners;
  if (a === null || b === null) return [];
  const path = slotPath("b", "receipt.json#/worker_id");
  if (a === b)
    return [finding("JOIN_WORKER_NOT_DISTINCT", { path, expected: "another worker than slot a", actual: b })];
  if (policy.distinct !== "operator" || gateway === null) return [];
  const [operatorA, operatorB] = [operatorOf(gateway, a), operatorOf(gateway, b)];
  // an operator that nobody named is not proven to be another one
  if (operatorA !== null && operatorB !== null && operatorA !== operatorB) return [];
  return [
    finding("JOIN_WORKER_NOT_DISTINCT", {
      path: "gateway.json#/workers",
      expected: "two named operators",
      actual: `${operatorA ?? "none"}, ${operatorB ?? "none"}`,
    }),
  ];
}
