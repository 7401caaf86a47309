import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Facts } from "../facts.ts";
import { finding, slotPath } from "../finding.ts";

/** Check `bundle`: digest and size as in the accepted result, and under the job's cap. */
export const checkBundle = ({ job, slots }: Facts): Finding[] =>
  [slots.a, slots.b].flatMap(({ slot, request, bundle }) => {
    if (bundle === null) return [];
    const findings: Finding[] = [];
    const path = slotPath(slot, "bundle.zip");
    const stated = request?.result.bundle;
    if (stated !== undefined && bundle.sha256 !== null && stated.sha256 !== bundle.sha256) {
      const states = { expected: stated.sha256, actual: bundle.sha256 };
      findings.push(finding("JOIN_BUNDLE_DIGEST", { slot, path, ...states }));
    }
    const sizes = [stated?.bytes, job === null ? undefined : job.value.limits.bundle_bytes];
    if (sizes[0] !== undefined && sizes[0] !== bundle.bytes)
      findings.push(finding("JOIN_BUNDLE_SIZE", { slot, path, expected: sizes[0], actual: bundle.bytes }));
    else if (sizes[1] !== undefined && bundle.bytes > sizes[1])
      findings.push(
        finding("JOIN_BUNDLE_SIZE", { slot, path, expected: `at most ${sizes[1]}`, actual: bundle.bytes }),
      );
    return findings;
  });
