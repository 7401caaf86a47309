import { expect, test } from "vitest";
import { goodZip, MEMBERS } from "../../../fixtures/zip/good.ts";
import { type BundleMember, bundleFromBuffer, readBundle } from "../../../src/bundle/read.ts";
import { askSecondReader } from "../../../src/bundle/second-reader.ts";

const caps = { bundleBytes: 1e9, memberBytes: 1e9, totalBytes: 1e9 };
const source = () => bundleFromBuffer(goodZip());

function members(): readonly BundleMember[] {
  const verdict = readBundle(source(), { members: MEMBERS, caps });
  if (!verdict.ok) throw new Error("refused");
  return verdict.members;
}

test("yauzl sees the members that our reader sees", async () => {
  expect(await askSecondReader(source(), members())).toEqual([]);
});

test.each([
  ["name", { name: "frame_0207.png" }],
  ["method", { method: "deflated" }],
  ["CRC", { crc32: 1 }],
  ["size", { bytes: 1 }],
  ["size in the archive", { compressedBytes: 1 }],
  ["place", { headerOffset: 1 }],
  ["place of its data", { dataOffset: 1 }],
] as const)("a member with another %s is a disagreement", async (_, fields) => {
  const [first, ...rest] = members();
  if (first === undefined) throw new Error("missing");
  const faults = await askSecondReader(source(), [{ ...first, ...fields }, ...rest]);
  expect(faults).toMatchObject([{ code: "ZIP_READERS_DISAGREE" }]);
});

test("a member too many or too few is a disagreement", async () => {
  const [first, ...rest] = members();
  if (first === undefined) throw new Error("missing");
  expect(await askSecondReader(source(), rest)).toMatchObject([{ code: "ZIP_READERS_DISAGREE" }]);
  expect(await askSecondReader(source(), [first, first, ...rest])).toMatchObject([
    { code: "ZIP_READERS_DISAGREE" },
  ]);
});

test("an archive that yauzl cannot read is a disagreement", async () => {
  const cut = bundleFromBuffer(goodZip().subarray(0, -1));
  expect(await askSecondReader(cut, members())).toMatchObject([{ code: "ZIP_READERS_DISAGREE" }]);
});
