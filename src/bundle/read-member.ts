import { crc32 } from "node:zlib";
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

export type MemberVerdict =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * The bytes of a member of an accepted bundle: ZIP rule 6, exact inflated and consumed length and CRC. A
 * stored member of a bundle in memory is a view of that memory, one of a bundle on disk of `into`, where that is
 * given. A read that fails is ZIP_UNREADABLE.
 */
export function extractMember(source: BundleSource, member: BundleMember, into?: Buffer): MemberVerdict {
  const where = member.name;
  const refuse = (...faults: Fault[]): MemberVerdict => ({ ok: false, faults });
  let data: Buffer;
  try {
    data = source.read(member.dataOffset, member.compressedBytes, into);
  } catch (thrown) {
    return refuse(unreadable(thrown, where));
  }
  if (member.method === "deflated") {
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
    if (faults.length > 0) return refuse(...faults);
    data = bytes;
  }
  if (crc32(data) !== member.crc32) return refuse(fault("ZIP_CRC", where));
  return { ok: true, bytes: data };
}

/** What a failed read says; every other fault is none of the archive and goes on its way. */
export function unreadable(thrown: unknown, where: string): Fault {
  if (!(thrown instanceof SourceFault)) throw thrown;
  return fault("ZIP_UNREADABLE", where, { actual: thrown.message });
}
