import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { EvidenceIndex } from "../../contracts/documents/evidence.ts";
import type { Finding } from "../../contracts/documents/join-report.ts";
import { EVIDENCE_FILES, EVIDENCE_INDEX } from "../../contracts/evidence-files.ts";
import { SLOTS, type Slot } from "../../contracts/flow.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { sha256 } from "../core/digest.ts";
import { systemCode } from "../core/error.ts";
import { type CappedRead, readCappedSync } from "../core/files/read-capped.ts";
import { KIND, readKind } from "./documents.ts";
import { finding } from "./finding.ts";

export type FileDigest = EvidenceIndex["files"][number];

export interface EvidenceBytes {
  readonly index: EvidenceIndex | null;
  /** Every file but bundles and evidence.json, by path; what is not there has a finding. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Where the bundles lie; their content is read by the decoders only. */
  readonly bundles: Readonly<Record<Slot, string>>;
  /** Of every file that was read; the bundles' come from the decoders. */
  readonly digests: readonly FileDigest[];
  readonly findings: readonly Finding[];
}

const isBundle = (path: string): boolean => path.endsWith("/bundle.zip");
const capOf = (path: string): number =>
  path === "job.json"
    ? LIMITS.jobBytes
    : path.endsWith("/receipt.json")
      ? LIMITS.smallBodyBytes
      : LIMITS.jsonBytes;

/** Reads an evidence folder: capped, no links followed, every file held against evidence.json. */
export async function readEvidence(folder: string): Promise<EvidenceBytes> {
  const findings: Finding[] = [];
  const files = new Map<string, Buffer>();
  const absent = new Set<string>();
  const present = list(folder, findings);
  const take = (path: string, read: CappedRead): Buffer | null => {
    if (read.ok) return read.bytes;
    if (read.why === "absent" || read.why === "unreadable") {
      absent.add(path);
      findings.push(finding("JOIN_EVIDENCE_MISSING", { ...placeOf(path), actual: read.detail }));
    } else findings.push(finding("JOIN_EVIDENCE_INVALID", { ...placeOf(path), actual: read.detail }));
    return null;
  };
  const indexBytes = take(EVIDENCE_INDEX, readCappedSync(join(folder, EVIDENCE_INDEX), LIMITS.jsonBytes));
  for (const path of EVIDENCE_FILES.filter((one) => !isBundle(one))) {
    const bytes = take(path, readCappedSync(join(folder, path), capOf(path)));
    if (bytes !== null) files.set(path, bytes);
  }
  for (const path of EVIDENCE_FILES.filter(isBundle)) {
    if (present.has(path)) continue;
    absent.add(path);
    findings.push(finding("JOIN_EVIDENCE_MISSING", { ...placeOf(path), actual: "ENOENT" }));
  }
  const digests = [...files, ...(indexBytes === null ? [] : [[EVIDENCE_INDEX, indexBytes] as const])].map(
    ([path, bytes]) => ({ path, sha256: sha256(bytes), bytes: bytes.length }),
  );
  const index = indexBytes === null ? null : await readIndex(indexBytes, findings);
  const bundles = { a: join(folder, "slots/a/bundle.zip"), b: join(folder, "slots/b/bundle.zip") };
  // never pushed by spreading: a list has as many faults as its maker likes, and a call takes only so many arguments
  const ofIndex = index === null ? [] : [...lists(index, absent), ...holdAgainst(index, digests)];
  return { index, files, bundles, digests, findings: [...findings, ...ofIndex] };
}

const placeOf = (path: string): { path: string; slot: Slot | null } => ({
  path,
  slot: SLOTS.find((slot) => path.startsWith(`slots/${slot}/`)) ?? null,
});

/** Every path below the folder; anything that does not belong there is a finding. */
function list(folder: string, findings: Finding[]): ReadonlySet<string> {
  const expected = new Set<string>([EVIDENCE_INDEX, ...EVIDENCE_FILES]);
  const folders = ["", "slots", "slots/a", "slots/b"];
  const present = new Set<string>();
  for (const below of folders) {
    // a linked folder would lead every file in it elsewhere
    if (below !== "" && kindOf(join(folder, below)) === "other")
      findings.push(finding("JOIN_EVIDENCE_INVALID", { ...placeOf(`${below}/`), actual: "no folder" }));
    for (const name of namesIn(join(folder, below))) {
      const path = below === "" ? name : `${below}/${name}`;
      if (folders.includes(path)) continue;
      present.add(path);
      if (!expected.has(path)) findings.push(finding("JOIN_EVIDENCE_UNEXPECTED", placeOf(path)));
      else if (isBundle(path) && ["folder", "other"].includes(kindOf(join(folder, path))))
        findings.push(finding("JOIN_EVIDENCE_INVALID", { ...placeOf(path), actual: "no regular file" }));
    }
  }
  return present;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (thrown) {
    // what is expected in a folder that cannot be listed is found missing one by one
    if (systemCode(thrown) === undefined) throw thrown;
    return [];
  }
}

function kindOf(path: string): "file" | "folder" | "other" | "absent" {
  try {
    const found = lstatSync(path);
    if (found.isFile()) return "file";
    return found.isDirectory() ? "folder" : "other";
  } catch (thrown) {
    if (systemCode(thrown) === undefined) throw thrown;
    return "absent"; // or gone meanwhile: the decoder will say so
  }
}

async function readIndex(bytes: Buffer, findings: Finding[]): Promise<EvidenceIndex | null> {
  const read = await readKind(KIND.evidenceIndex, bytes);
  if (read.ok) return read.value;
  findings.push(
    finding("JOIN_EVIDENCE_INVALID", { path: `${EVIDENCE_INDEX}#${read.path}`, actual: read.problem }),
  );
  return null;
}

/** The list of evidence.json: sorted, each file once, nothing unknown, nothing left out. */
function lists(index: EvidenceIndex, absent: ReadonlySet<string>): Finding[] {
  const path = `${EVIDENCE_INDEX}#/files`;
  const listed = index.files.map((file) => file.path);
  const known: readonly string[] = EVIDENCE_FILES;
  const findings: Finding[] = [];
  listed.forEach((one, at) => {
    const before = listed[at - 1];
    if (!known.includes(one) || (before !== undefined && before >= one))
      findings.push(finding("JOIN_EVIDENCE_INVALID", { path, actual: one }));
  });
  for (const one of known)
    if (!listed.includes(one) && !absent.has(one))
      findings.push(finding("JOIN_EVIDENCE_INVALID", { path, expected: one }));
  return findings;
}

/** Digest and size of each file as evidence.json states them. */
export const holdAgainst = (index: EvidenceIndex, digests: readonly FileDigest[]): Finding[] =>
  index.files.flatMap((stated) => {
    const read = digests.find((one) => one.path === stated.path);
    if (read === undefined || (read.sha256 === stated.sha256 && read.bytes === stated.bytes)) return [];
    const place = { ...placeOf(stated.path), expected: stated.sha256, actual: read.sha256 };
    return [finding("JOIN_EVIDENCE_DIGEST", place)];
  });
