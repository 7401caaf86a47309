import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl";
import { harmless } from "../core/escape.ts";
import { type Fault, fault } from "../core/fault.ts";
import { type BundleMember, unreadable } from "./read-member.ts";
import type { BundleSource } from "./source.ts";

/**
 * ZIP rule 7: yauzl reads the same bundle; its list must equal ours, member by member, down to where the
 * data begins. Only for a bundle that readBundle accepted: yauzl alone is no judge, and some archives that
 * readBundle refuses would end the process inside it. No faults: the readers agree.
 */
export async function askSecondReader(
  source: BundleSource,
  members: readonly BundleMember[],
): Promise<readonly Fault[]> {
  const reader = new SourceReader(source);
  const settings = { autoClose: false, decodeStrings: true, strictFileNames: true, validateEntrySizes: true };
  try {
    const zip = await fromRandomAccessReaderPromise(reader, source.size, settings);
    const seen: string[] = [];
    for await (const entry of zip.eachEntry()) {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      seen.push(describeEntry(entry, fileDataStart));
    }
    const ours = members.map(describeMember);
    const length = Math.max(seen.length, ours.length);
    return Array.from({ length }, (_, index) => index)
      .filter((index) => seen[index] !== ours[index])
      .slice(0, 1)
      .map((index) => disagreement(ours[index] ?? "no member", seen[index] ?? "no member"));
  } catch (thrown) {
    if (reader.failure !== null) return [unreadable(reader.failure, "bundle")];
    return [disagreement("a readable archive", thrown instanceof Error ? thrown.message : "unknown")];
  }
}

const disagreement = (expected: string, actual: string): Fault =>
  fault("ZIP_READERS_DISAGREE", "bundle", { expected, actual: harmless(actual) });

const describeMember = (member: BundleMember): string =>
  [
    member.name,
    member.method === "stored" ? 0 : 8,
    member.crc32,
    member.compressedBytes,
    member.bytes,
    member.headerOffset,
    member.dataOffset,
  ].join(" ");

const describeEntry = (entry: Entry, dataOffset: number): string =>
  [
    entry.fileName,
    entry.compressionMethod,
    entry.crc32,
    entry.compressedSize,
    entry.uncompressedSize,
    entry.relativeOffsetOfLocalHeader,
    dataOffset,
  ].join(" ");

/** yauzl's random access over our source, without streams. */
class SourceReader extends RandomAccessReader {
  readonly #source: BundleSource;
  /** What our own source threw: a fault of the machine, to be told from a disagreement. */
  failure: unknown = null;

  constructor(source: BundleSource) {
    super();
    this.#source = source;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    try {
      this.#source.read(position, length).copy(buffer, offset);
    } catch (thrown) {
      this.failure = thrown;
      callback(thrown instanceof Error ? thrown : new Error("read failed"));
      return;
    }
    callback(null);
  }
}
