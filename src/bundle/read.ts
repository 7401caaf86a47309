import { LIMITS } from "../../contracts/limits.ts";
import { type Fault, fault } from "../core/fault.ts";
import { readDirectory } from "./read-directory.ts";
import { readEndRecord } from "./read-end-record.ts";
import { type BundleCaps, judgeEntries } from "./read-entries.ts";
import { judgeLayout } from "./read-layout.ts";
import { type MemberExtent, readLocalHeaders } from "./read-local-headers.ts";
import { type BundleMember, unreadable } from "./read-member.ts";
import { judgeNames } from "./read-names.ts";
import type { BundleSource } from "./source.ts";

export type { BundleCaps } from "./read-entries.ts";
export {
  type BundleMember,
  extractMember,
  type MemberVerdict,
  type OpenedMember,
  openMember,
} from "./read-member.ts";
export { type BundleSource, bundleFromBuffer, openBundleFile } from "./source.ts";

export interface ReadBundleOptions {
  /** Exactly the names that must be there; null takes any plain names. */
  readonly members: readonly string[] | null;
  readonly caps: BundleCaps;
}

export type BundleVerdict =
  | { readonly ok: true; readonly members: readonly BundleMember[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const MOST_FAULTS = 100;

/**
 * Reads the layout of a bundle and checks it by every ZIP rule of docs/FRAMES-AND-BUNDLES.md that needs
 * no member's data; extractMember does the rest. Lists every fault, at most 100, and stops where the
 * structure cannot be trusted any more. Reads end record, directory and local headers alone.
 */
export function readBundle(source: BundleSource, options: ReadBundleOptions): BundleVerdict {
  try {
    return judge(source, options);
  } catch (thrown) {
    return { ok: false, faults: [unreadable(thrown, "bundle")] };
  }
}

function judge(source: BundleSource, { members, caps }: ReadBundleOptions): BundleVerdict {
  // ZIP rule 6, of which readEndRecord and judgeEntries have the rest
  if (source.size > caps.bundleBytes)
    return refuse([
      fault("ZIP_TOO_LARGE", "bundle", { expected: `at most ${caps.bundleBytes}`, actual: source.size }),
    ]);
  const end = readEndRecord(source);
  if (!end.ok) return refuse(end.faults);
  const { directoryOffset } = end.record;
  const directory = readDirectory(source, end.record);
  const structure = [...end.faults, ...directory.faults];
  // beyond the count nothing is looked at: the rest would be work at the archive's bidding
  if (!directory.whole || directory.entries.length > LIMITS.zipMembers) return refuse(structure);
  const local = readLocalHeaders(source, directory.entries, directoryOffset);
  const faults = [
    ...structure,
    ...judgeNames(directory.entries, members),
    ...judgeEntries(directory.entries, caps),
    ...local.faults,
    ...(local.extents === null ? [] : judgeLayout(local.extents, directoryOffset)),
  ];
  if (faults.length > 0 || local.extents === null) return refuse(faults);
  return { ok: true, members: local.extents.map(toMember) };
}

const refuse = (faults: readonly Fault[]): BundleVerdict => ({
  ok: false,
  faults: faults.slice(0, MOST_FAULTS),
});

const toMember = ({ entry, dataOffset }: MemberExtent): BundleMember => ({
  name: entry.name,
  method: entry.method === 0 ? "stored" : "deflated",
  crc32: entry.crc32,
  compressedBytes: entry.compressedBytes,
  bytes: entry.bytes,
  headerOffset: entry.offset,
  dataOffset,
});
