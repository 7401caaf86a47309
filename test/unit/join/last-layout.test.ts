import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBundleFile } from "../../../src/bundle/read.ts";
import { LastLayout } from "../../../src/join/decode/last-layout.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { buildZip, member } from "../../support/zip-build.ts";

const caps = { bundleBytes: 1_000, memberBytes: 1_000, totalBytes: 1_000 };
const zipOf = (...names: string[]): Buffer => buildZip(names.map((name) => member(name)));

it("a layout is read once for a file and what is asked of it, and again for anything else", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "bundle.zip");
  await writeFile(path, zipOf("one", "two"));
  const layout = new LastLayout();
  const read = (members: string[] | null, memberBytes = 1_000) => {
    const opened = openBundleFile(path);
    if (!opened.ok) throw new Error(opened.detail);
    try {
      return layout.read(opened, { members, caps: { ...caps, memberBytes } });
    } finally {
      opened.close();
    }
  };
  const first = read(["one", "two"]);
  expect(first.ok).toBe(true);
  expect(read(["one", "two"])).toBe(first);
  expect(read(["one", "two"], 2)).toMatchObject({ ok: false });
  expect(read(["one", "six"])).toMatchObject({ ok: false });
  const any = read(null);
  expect(any.ok).toBe(true);
  expect(read(null)).toBe(any);
  expect(read(["one", "two"])).not.toBe(any);
  await writeFile(join(folder, "other.zip"), zipOf("one", "six"));
  await rename(join(folder, "other.zip"), path);
  expect(read(["one", "six"]).ok).toBe(true);
});
