import { crc32 } from "node:zlib";
import { type Bytes, bytesInMemory, bytesThrough } from "../core/bytes.ts";
import { type Fault, fault } from "../core/fault.ts";
import { inflateCapped } from "../core/inflate-capped.ts";
import { type BundleSource, SourceFault } from "./source.ts";

/** One member of a bundle whose layout was found sound. */
export interface BundleMember {
  readonly name: string;
  readonly method: "stored" | "deflated";
  readonly crc32: number;
  /** Size in the archive. */
  readonly compressedBytes: number;
  /** Size of the member itself. */
  readonly bytes: number;
  readonly headerOffset: number;
  readonly dataOffset: number;
}

export type MemberVerdict = { readonly ok: true; readonly bytes: Buffer } | Refusal;

/** A member that can be read; of a stored one without ever being in memory as a whole. */
export type OpenedMember = { readonly ok: true; readonly file: Bytes } | Refusal;

interface Refusal {
  readonly ok: false;
  readonly faults: readonly Fault[];
}

const refuse = (...faults: Fault[]): Refusal => ({ ok: false, faults });

/**
 * The bytes of a member of an accepted bundle: ZIP rule 6, exact inflated and consumed length and CRC. A
 * stored member of a bundle in memory is a view of that memory. A read that fails is ZIP_UNREADABLE.
 */
export function extractMember(source: BundleSource, member: BundleMember): MemberVerdict {
  try {
    const data = source.read(member.dataOffset, member.compressedBytes);
    return member.method === "deflated" ? inflate(data, member) : checked(data, member);
  } catch (thrown) {
    return refuse(unreadable(thrown, member.name));
  }
}

/** The same, held against its CRC, to be read through `window` where it is stored. */
export function openMember(source: BundleSource, member: BundleMember, window: Buffer): OpenedMember {
  if (member.method === "deflated") {
    const extracted = extractMember(source, member);
    return extracted.ok ? { ok: true, file: bytesInMemory(extracted.bytes) } : extracted;
  }
  const file = bytesThrough(window, source, { from: member.dataOffset, size: member.bytes });
  try {
    let crc = 0;
    for (const piece of file.pieces(0, file.size)) crc = crc32(piece, crc);
    return crc === member.crc32 ? { ok: true, file } : refuse(fault("ZIP_CRC", member.name));
  } catch (thrown) {
    return refuse(unreadable(thrown, member.name));
  }
}

function inflate(data: Buffer, member: BundleMember): MemberVerdict {
  const where = member.name;
  const inflated = inflateCapped(data, { raw: true, maxBytes: member.bytes });
  if (!inflated.ok)
    return refuse(
      inflated.why === "too_long"
        ? fault("ZIP_INFLATED_SIZE", where, { expected: member.bytes, actual: "more" })
        : fault("ZIP_INFLATE", where, { actual: inflated.why }),
    );
  const { bytes, consumed } = inflated;
  const faults: Fault[] = [];
  if (bytes.length !== member.bytes)
    faults.push(fault("ZIP_INFLATED_SIZE", where, { expected: member.bytes, actual: bytes.length }));
  if (consumed !== data.length)
    faults.push(fault("ZIP_DEFLATE_TRAILING", where, { actual: `${data.length - consumed} bytes` }));
  return faults.length > 0 ? refuse(...faults) : checked(bytes, member);
}

const checked = (bytes: Buffer, member: BundleMember): MemberVerdict =>
  crc32(bytes) === member.crc32 ? { ok: true, bytes } : refuse(fault("ZIP_CRC", member.name));

/** What a failed read says; every other fault is none of the archive and goes on its way. */
export function unreadable(thrown: unknown, where: string): Fault {
  if (!(thrown instanceof SourceFault)) throw thrown;
  return fault("ZIP_UNREADABLE", where, { actual: thrown.message });
}
