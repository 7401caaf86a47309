import type { Finding, JoinReport } from "../../../contracts/documents/join-report.ts";
import { EVIDENCE_FILES } from "../../../contracts/evidence-files.ts";
import { frameName } from "../../../contracts/frame-names.ts";
import type { Given } from "../verdict.ts";

export interface Origin {
  /** The evidence folder as a person would name it, or null for one that is gone: then `collect` comes first. */
  readonly evidence: string | null;
  /** The file of a policy that was given in place of the job's. */
  readonly policyFile?: string | null;
  /** `given` of the verdict. Without it the commands have no flags but the policy. */
  readonly given?: Given;
}

/** For a shell; names of evidence folders are a person's, everything else is ours. */
export const quoted = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const folderOf = ({ evidence }: Origin): string => quoted(evidence ?? "EVIDENCE");

/** pngjs finds that while frames are drawn too; verify asks it only when it is told to. */
const BY_SECOND_DECODER = "PNG_DECODERS_DISAGREE";

/** The commands that come to this verdict again. */
export function verifyCommands({ job_id, findings }: JoinReport, origin: Origin): string[] {
  const { evidence, policyFile, given = {} } = origin;
  const second = given.secondDecoder === true || findings.some((one) => one.code === BY_SECOND_DECODER);
  const flags = [
    ...(policyFile ? ["--policy", quoted(policyFile)] : []),
    ...(given.strictContent === true ? ["--strict-content"] : []),
    ...(second ? ["--second-decoder"] : []),
    ...(given.expectJob ? ["--expect-job", quoted(given.expectJob)] : []),
    ...(given.expectGateway ? ["--expect-gateway", quoted(given.expectGateway)] : []),
  ];
  const verify = ["join verify", folderOf(origin), ...flags].join(" ");
  if (evidence !== null || job_id === null) return [verify];
  return [`join collect --job ${quoted(job_id)} --gateway URL --token-file FILE --out EVIDENCE`, verify];
}

/** Codes about a frame's own bytes that need no job to be seen. */
const OF_A_FRAME = /^PNG_(?!.*_MISMATCH$|TOO_LARGE$|DECODERS_)/;
/** Codes about a bundle's own bytes; the others hold it against what the job says must be in it, and its caps. */
const OF_A_BUNDLE = /^ZIP_(?!.*TOO_LARGE$|MEMBER_MISSING$|MEMBER_UNEXPECTED$|MEMBER_COUNT$)/;

/** The commands that show this one finding, the most direct ones that there are. */
export function checkCommands(one: Finding, report: JoinReport, origin: Origin): string[] {
  const folder = folderOf(origin);
  const bundle = one.slot === null ? null : `${folder}/slots/${one.slot}/bundle.zip`;
  const member = one.frame === null ? null : frameName(one.frame);
  if (bundle !== null && OF_A_BUNDLE.test(one.code)) return [`join inspect ${bundle}`];
  if (bundle !== null && one.code === "JOIN_BUNDLE_DIGEST") return [`sha256sum ${bundle}`];
  if (bundle !== null && one.code === "JOIN_BUNDLE_SIZE") return [`wc -c ${bundle}`];
  if (bundle !== null && member !== null && one.code === "JOIN_FRAME_DIGEST")
    return digestCommands(one.path, bundle, member);
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

/** Of a frame the manifest states the file's digest, its size and the digest of its pixels. */
function digestCommands(path: string, bundle: string, member: string): string[] {
  const unpacked = `unzip -p ${bundle} ${member}`;
  if (path.endsWith("/pixels")) return [`${unpacked} > ${member}`, `join inspect ${member} --json`];
  return [`${unpacked} | ${path.endsWith("/bytes") ? "wc -c" : "sha256sum"}`];
}
