import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ZIP_CODES } from "../../../contracts/codes/zip.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { goodEntries, goodZip, MEMBERS } from "../../../fixtures/zip/good.ts";
import { rejectedZips } from "../../../fixtures/zip/rejected.ts";
import { rejectedMembers } from "../../../fixtures/zip/rejected-members.ts";
import {
  type BundleSource,
  type BundleVerdict,
  bundleFromBuffer,
  extractMember,
  readBundle,
} from "../../../src/bundle/read.ts";
import { SourceFault } from "../../../src/bundle/source.ts";
import { buildZip, centralHeader, member } from "../../support/zip-build.ts";

const caps = { bundleBytes: 10_000_000, memberBytes: 1_000_000, totalBytes: 2_000_000 };
const read = (bytes: Buffer, members: readonly string[] | null = MEMBERS): BundleVerdict =>
  readBundle(bundleFromBuffer(bytes), { members, caps });
const codesOf = (verdict: BundleVerdict): string[] =>
  verdict.ok ? [] : verdict.faults.map((fault) => fault.code);
const sorted = (codes: Iterable<string>): string[] => [...new Set(codes)].sort();
/** Everything that a reader of the bundle would get to see, or null where something is refused. */
function contentOf(bytes: Buffer): Record<string, string> | null {
  const source = bundleFromBuffer(bytes);
  const verdict = readBundle(source, { members: MEMBERS, caps });
  if (!verdict.ok) return null;
  const content: Record<string, string> = {};
  for (const found of verdict.members) {
    const extracted = extractMember(source, found);
    if (!extracted.ok) return null;
    content[found.name] = extracted.bytes.toString("latin1");
  }
  return content;
}

describe("a bundle is refused", () => {
  test.each(rejectedZips())("for $codes: $name", ({ codes, bytes }) => {
    expect(sorted(codesOf(read(bytes)))).toEqual(sorted(codes));
  });

  test("when it is larger than its cap, before a byte is read", () => {
    const source: BundleSource = { size: caps.bundleBytes + 1, read: () => expect.unreachable() };
    expect(codesOf(readBundle(source, { members: null, caps }))).toEqual(["ZIP_TOO_LARGE"]);
  });

  test("when it has more members than a bundle can have", () => {
    const entries = Array.from({ length: LIMITS.zipMembers + 1 }, (_, index) => member(`m${index}`));
    expect(codesOf(read(buildZip(entries), null))).toEqual(["ZIP_MEMBER_COUNT"]);
    expect(sorted(codesOf(read(buildZip(entries, { onDisk: 1, entries: 1 }), null)))).toEqual([
      "ZIP_COUNT_MISMATCH",
      "ZIP_MEMBER_COUNT",
    ]);
  });

  test("when its directory is all entries of nothing, 90000 of them", () => {
    const entry = centralHeader(member(""), 0);
    const directory = Buffer.alloc(90_000 * entry.length, entry);
    const end = buildZip([], {
      onDisk: 0x6000,
      entries: 0x6000,
      directoryOffset: 0,
      directoryBytes: directory.length,
    });
    expect(sorted(codesOf(read(Buffer.concat([directory, end]), null)))).toEqual([
      "ZIP_COUNT_MISMATCH",
      "ZIP_MEMBER_COUNT",
    ]);
  });

  test("with at most 100 faults listed, each with its member", () => {
    const entries = Array.from({ length: 300 }, (_, index) => member(`m${index}`, { flags: 1 }));
    const verdict = read(buildZip(entries), null);
    expect(codesOf(verdict)).toHaveLength(100);
    expect(verdict.ok ? "" : verdict.faults[99]?.where).toBe("m99");
  });
});

describe("a member is refused", () => {
  test.each(rejectedMembers())("for $codes: $name", ({ codes, bytes }) => {
    const source = bundleFromBuffer(bytes);
    const verdict = readBundle(source, { members: MEMBERS, caps });
    const first = verdict.ok ? verdict.members[0] : undefined;
    if (first === undefined) throw new Error(codesOf(verdict).join(" "));
    const extracted = extractMember(source, first);
    expect(extracted.ok ? [] : extracted.faults.map((fault) => fault.code)).toEqual(codes);
  });
});

describe("a bundle is accepted", () => {
  test("with its members in order, their sizes and where their bytes are", () => {
    expect(read(goodZip())).toMatchObject({
      ok: true,
      members: [
        { name: "frame_0205.png", method: "stored", bytes: 25, headerOffset: 0, dataOffset: 44 },
        { name: "frame_0206.png", headerOffset: 69 },
        { name: "manifest.json" },
      ],
    });
    expect(contentOf(goodZip())).toEqual(
      Object.fromEntries(MEMBERS.map((name) => [name, `content of ${name}`])),
    );
  });

  test.each([
    ["deflated members, with a level flag", { method: 8, flags: 0x0804 }],
    ["no UTF-8 flag", { flags: 0 }],
    ["made by DOS without a mode", { madeBy: 20, attributes: 0x20 }],
    ["made by unix without a file type", { attributes: 0o600 * 0x10000 }],
    ["version 1.0 needed", { versionNeeded: 10 }],
    ["any time", { time: 0xffff, date: 0xffff }],
    ["nothing in it", { content: Buffer.alloc(0) }],
    ["nothing in it, deflated", { content: Buffer.alloc(0), method: 8 }],
    ["zeros deflated as far as deflate goes", { content: Buffer.alloc(600_000), method: 8 }],
  ])("when its members have %s", (_, fields) => {
    const [frame, ...rest] = goodEntries();
    expect(contentOf(buildZip([{ ...(frame ?? member("")), ...fields }, ...rest]))).not.toBeNull();
  });

  test("with any plain names when none are asked for, and with none", () => {
    expect(codesOf(read(buildZip([member("a/b.txt"), member("c")]), null))).toEqual([]);
    expect(read(buildZip([]), null)).toEqual({ ok: true, members: [] });
  });
});

test("every code of a bundle is produced by a case of the fixtures or of this folder", () => {
  const elsewhere = ["ZIP_TOO_LARGE", "ZIP_UNREADABLE", "ZIP_READERS_DISAGREE"];
  const produced = [...rejectedZips(), ...rejectedMembers()].flatMap((rejected) => rejected.codes);
  expect(sorted([...produced, ...elsewhere])).toEqual(Object.keys(ZIP_CODES).sort());
});

test("a bundle that the machine cannot read is undecided, not rejected", () => {
  const broken = (after: number): BundleSource => {
    const whole = bundleFromBuffer(goodZip());
    let reads = 0;
    return {
      size: whole.size,
      read: (offset, length) => {
        reads += 1;
        if (reads > after) throw new SourceFault("EIO");
        return whole.read(offset, length);
      },
    };
  };
  for (const after of [0, 1, 2, 3, 5])
    expect(codesOf(readBundle(broken(after), { members: MEMBERS, caps }))).toEqual(["ZIP_UNREADABLE"]);
  const whole = readBundle(broken(99), { members: MEMBERS, caps });
  const first = whole.ok ? whole.members[0] : undefined;
  if (first === undefined) throw new Error("not read");
  expect(extractMember(broken(0), first)).toMatchObject({ ok: false, faults: [{ code: "ZIP_UNREADABLE" }] });
  expect(ZIP_CODES.ZIP_UNREADABLE.severity).toBe("undecided");
});

test("no change of a byte gives other content than before: names, frames and manifest", () => {
  const deflated = buildZip(MEMBERS.map((name) => member(name, { method: 8 })));
  for (const good of [goodZip(), deflated]) {
    const before = contentOf(good);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const after = contentOf(bytes);
        if (after !== null) expect(after).toEqual(before);
      }),
      { numRuns: 3_000 },
    );
  }
});

test("no cut archive and no bytes of any kind are accepted, and each ends in a verdict", () => {
  const good = goodZip();
  for (let length = 0; length < good.length; length += 1)
    expect(read(good.subarray(0, length)).ok).toBe(false);
  const end = buildZip([]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (noise, ended) => {
      const bytes = Buffer.concat([noise, ended ? end : Buffer.alloc(0)]);
      expect(read(bytes).ok).toBe(false);
      readBundle(bundleFromBuffer(deflateRawSync(noise)), { members: null, caps });
    }),
    { numRuns: 1_000 },
  );
});
