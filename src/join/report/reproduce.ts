import type { Finding, JoinReport } from "../../../contracts/documents/join-report.ts";
import { EVIDENCE_FILES } from "../../../contracts/evidence-files.ts";
import { frameName } from "../../../contracts/frame-names.ts";

export interface Origin {
  /** The evidence folder as a person would name it, or null for one that is gone: then `collect` comes first. */
  readonly evidence: string | null;
  /** The file of a policy that was given in place of the job's. */
  readonly policyFile?: string | null;
}

/** For a shell; names of evidence folders are a person's, everything else is ours. */
export const quoted = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const folderOf = ({ evidence }: Origin): string => quoted(evidence ?? "EVIDENCE");

/** The commands that come to this verdict again. */
export function verifyCommands({ policy, job_id }: JoinReport, origin: Origin): string[] {
  const flags = [
    ...(origin.policyFile ? ["--policy", quoted(origin.policyFile)] : []),
    ...(policy.strict_content ? ["--strict-content"] : []),
    ...(policy.expect_job === null ? [] : ["--expect-job", policy.expect_job]),
    ...(policy.expect_gateway === null ? [] : ["--expect-gateway", policy.expect_gateway]),
  ];
  const verify = ["join verify", folderOf(origin), ...flags].join(" ");
  if (origin.evidence !== null || job_id === null) return [verify];
  return [`join collect --job ${quoted(job_id)} --gateway URL --token-file FILE --out EVIDENCE`, verify];
}

/** Codes about a frame's own bytes that need no job to be seen. */
const OF_A_FRAME = /^PNG_(?!.*_MISMATCH$|TOO_LARGE$|DECODERS_)/;

/** The commands that show this one finding, the most direct ones that there are. */
export function checkCommands(one: Finding, report: JoinReport, origin: Origin): string[] {
  const folder = folderOf(origin);
  const bundle = one.slot === null ? null : `${folder}/slots/${one.slot}/bundle.zip`;
  const member = one.frame === null ? null : frameName(one.frame);
  if (bundle !== null && one.code.startsWith("ZIP_")) return [`join inspect ${bundle}`];
  if (bundle !== null && one.code === "JOIN_BUNDLE_DIGEST") return [`sha256sum ${bundle}`];
  if (bundle !== null && one.code === "JOIN_BUNDLE_SIZE") return [`wc -c ${bundle}`];
  if (bundle !== null && member !== null && one.code === "JOIN_FRAME_DIGEST")
    return [`unzip -p ${bundle} ${member} | sha256sum`];
  if (bundle !== null && member !== null && OF_A_FRAME.test(one.code))
    return [`unzip -p ${bundle} ${member} > ${member}`, `join inspect ${member}`];
  const file = EVIDENCE_FILES.find((path) => path === one.path);
  if (file !== undefined && one.code === "JOIN_EVIDENCE_DIGEST") return [`sha256sum ${folder}/${file}`];
  if (one.slot !== null && one.code === "JOIN_PROVENANCE_UNSTABLE")
    return [
      `diff ${["before", "after"].map((when) => `${folder}/slots/${one.slot}/provenance.${when}.json`).join(" ")}`,
    ];
  return verifyCommands(report, origin);
}
