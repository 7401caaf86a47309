import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Facts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

/** Answers of which gateway.json must say who gave them; the two reads of provenance say it themselves. */
const answersOf = ({ gateway, job, slots }: Facts): string[] => [
  "well-known",
  // who names no worker, or one that was never issued, has none of these
  ...(gateway?.workers.length === 0 ? [] : ["workers"]),
  ...(job === null ? [] : ["job.json"]),
  ...[slots.a, slots.b].flatMap(({ slot, ...facts }) =>
    (["task", "receipt", "request", "bundle"] as const)
      .filter((name) => facts[name] !== null)
      .map((name) => slotPath(slot, name === "bundle" ? "bundle.zip" : `${name}.json`)),
  ),
];

/** Check `gateway`: one gateway_id over every read, and the one that was expected. */
export function checkGateway(facts: Facts, expectGateway: string | null): Finding[] {
  const { gateway, slots } = facts;
  if (gateway === null) return [];
  const id = gateway.well_known.gateway_id;
  const named: [string, string][] = gateway.answers.map(({ path, gateway_id }) => [
    `gateway.json#/answers/${path}`,
    gateway_id,
  ]);
  for (const one of [slots.a, slots.b])
    for (const when of ["before", "after"] as const) {
      const read = one[when];
      const path = slotPath(one.slot, `provenance.${when}.json#`);
      if (read === null) continue;
      named.push([`${path}/gateway_id`, read.gatewayId]);
      if (read.envelope.shape === "own")
        named.push([`${path}/envelope/gateway_id`, read.envelope.value.gateway_id]);
    }
  const findings = named
    .filter(([, actual]) => actual !== id)
    .map(([path, actual]) => finding("JOIN_GATEWAY_MIXED", { path, expected: id, actual }));
  const answered = gateway.answers.map((answer) => answer.path);
  for (const path of answersOf(facts).filter((one) => !answered.includes(one)))
    findings.push(finding("JOIN_EVIDENCE_INVALID", { path: "gateway.json#/answers", expected: path }));
  for (const twice of repeated(gateway.workers.map((worker) => worker.worker_uuid)))
    findings.push(finding("JOIN_EVIDENCE_INVALID", { path: "gateway.json#/workers", actual: twice }));
  if (expectGateway !== null && expectGateway !== id)
    findings.push(
      finding("JOIN_GATEWAY_NOT_EXPECTED", {
        path: "gateway.json#/well_known/gateway_id",
        expected: expectGateway,
        actual: id,
      }),
    );
  return findings;
}

function repeated(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const name of names) (seen.has(name) ? twice : seen).add(name);
  return twice;
}
