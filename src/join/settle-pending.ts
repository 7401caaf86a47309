import type { Finding } from "../../contracts/documents/join-report.ts";
import { SLOTS } from "../../contracts/flow.ts";
import type { Facts } from "./facts.ts";
import { finding, slotPath } from "./finding.ts";

/**
 * A slot whose task is not done and that has no receipt is not faulty but pending: what is absent of it has
 * one reason, and a later collect can help. With a receipt it stays what the checks say of it.
 */
export function settlePending(findings: readonly Finding[], { slots }: Facts): Finding[] {
  const settled = SLOTS.filter((slot) => {
    const { task, receipt } = slots[slot];
    const absent = findings.some(
      (one) => one.code === "JOIN_EVIDENCE_MISSING" && one.path === slotPath(slot, "receipt.json"),
    );
    return task !== null && task.value.state !== "done" && receipt === null && absent;
  });
  const pending = settled.map((slot) =>
    finding("JOIN_SLOT_PENDING", {
      slot,
      path: slotPath(slot, "task.json#/state"),
      expected: "done",
      actual: slots[slot].task?.value.state ?? null,
    }),
  );
  const rest = findings.filter(
    (one) => !(one.code === "JOIN_EVIDENCE_MISSING" && one.slot !== null && settled.includes(one.slot)),
  );
  return [...pending, ...rest];
}
