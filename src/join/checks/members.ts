import type { Finding } from "../../../contracts/documents/join-report.ts";
import { canonicalText } from "../../core/json/canonical.ts";
import type { Facts, SlotFacts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

const MANIFEST = "bundle.zip#manifest.json";

/**
 * Check `members`: the manifest is that of the accepted result, and both state the same frames. That the
 * archive has exactly the slot's members in the canonical layout is the reader's part (ZIP_).
 */
export const checkMembers = ({ slots }: Facts): Finding[] => [slots.a, slots.b].flatMap(manifestOf);

function manifestOf(facts: SlotFacts): Finding[] {
  const { slot, task, request, bundle } = facts;
  const manifest = bundle?.manifest ?? null;
  if (manifest === null) return [];
  const findings: Finding[] = [];
  if (request !== null && request.result.manifest_sha256 !== manifest.sha256)
    findings.push(
      finding("JOIN_MANIFEST_INVALID", {
        slot,
        path: slotPath(slot, MANIFEST),
        expected: request.result.manifest_sha256,
        actual: manifest.sha256,
      }),
    );
  const mismatch = (field: string, expected: string | number, actual: string | number): void => {
    const path = slotPath(slot, `${MANIFEST}/${field}`);
    findings.push(finding("JOIN_MANIFEST_MISMATCH", { slot, path, expected, actual }));
  };
  const version = task?.value.version;
  if (version !== undefined && version !== manifest.value.task_version)
    mismatch("task_version", version, manifest.value.task_version);
  const [stated, accepted] = [manifest.value.frames, request?.result.frames ?? manifest.value.frames];
  for (let at = 0; at < Math.max(stated.length, accepted.length); at += 1) {
    const [left, right] = [accepted[at], stated[at]].map((entry) =>
      entry === undefined ? "none" : canonicalText(entry),
    );
    if (left !== undefined && right !== undefined && left !== right) mismatch(`frames/${at}`, left, right);
  }
  return findings;
}
