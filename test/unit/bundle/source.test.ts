import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { goodZip, MEMBERS } from "../../../fixtures/zip/good.ts";
import { extractMember, openBundleFile, openMember, readBundle } from "../../../src/bundle/read.ts";
import { askSecondReader } from "../../../src/bundle/second-reader.ts";
import { sha256, sha256Of } from "../../../src/core/digest.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { buildZip, member } from "../../support/zip-build.ts";

const caps = { bundleBytes: 1e9, memberBytes: 1e9, totalBytes: 1e9 };

async function opened(bytes: Buffer) {
  const path = join(await temporaryFolder(), "bundle.zip");
  await writeFile(path, bytes);
  const bundle = openBundleFile(path);
  if (!bundle.ok) throw new Error(bundle.detail);
  onTestFinished(bundle.close);
  return { path, source: bundle.source, unchanged: bundle.unchanged };
}

test("a bundle on disk is read as one in memory", async () => {
  const { source } = await opened(goodZip());
  const verdict = readBundle(source, { members: MEMBERS, caps });
  if (!verdict.ok) throw new Error("refused");
  expect(await askSecondReader(source, verdict.members)).toEqual([]);
  const contents = verdict.members.map((member) => extractMember(source, member));
  expect(contents).toEqual(MEMBERS.map((name) => ({ ok: true, bytes: Buffer.from(`content of ${name}`) })));
});

test("a member that is read through a window is the member, stored or deflated", async () => {
  const entries = [member("stored"), member("deflated", { method: 8 })];
  const { source } = await opened(buildZip(entries));
  const verdict = readBundle(source, { members: null, caps });
  if (!verdict.ok) throw new Error("refused");
  for (const one of verdict.members) {
    const file = openMember(source, one, Buffer.alloc(5));
    const whole = extractMember(source, one);
    if (!file.ok || !whole.ok) throw new Error("refused");
    expect(sha256Of(file.file)).toBe(sha256(whole.bytes));
    expect(openMember(source, { ...one, crc32: 1 }, Buffer.alloc(5))).toMatchObject({
      ok: false,
      faults: [{ code: "ZIP_CRC" }],
    });
  }
});

test("a file that is written to is no longer what was opened", async () => {
  const { path, unchanged } = await opened(goodZip());
  expect(unchanged()).toBe(true);
  await truncate(path, 60);
  expect(unchanged()).toBe(false);
});

test("a file that shrinks while it is read is undecided for every reader", async () => {
  const { path, source } = await opened(goodZip());
  const verdict = readBundle(source, { members: MEMBERS, caps });
  const last = verdict.ok ? verdict.members.at(-1) : undefined;
  if (!verdict.ok || last === undefined) throw new Error("refused");
  await truncate(path, 60);
  const unreadable = [{ code: "ZIP_UNREADABLE" }];
  expect(readBundle(source, { members: MEMBERS, caps })).toMatchObject({ ok: false, faults: unreadable });
  expect(extractMember(source, last)).toMatchObject({ ok: false, faults: unreadable });
  expect(openMember(source, last, Buffer.alloc(64))).toMatchObject({ ok: false, faults: unreadable });
  expect(await askSecondReader(source, verdict.members)).toMatchObject(unreadable);
});

test("only a regular file is opened: no folder, no link, no absent file", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "folder"));
  await writeFile(join(folder, "file"), goodZip());
  await symlink("file", join(folder, "link"));
  const why = (name: string): string => {
    const result = openBundleFile(join(folder, name));
    return result.ok ? "ok" : result.why;
  };
  expect(["folder", "link", "absent", "file/below"].map(why)).toEqual([
    "not_regular",
    "not_regular",
    "absent",
    "absent",
  ]);
});
