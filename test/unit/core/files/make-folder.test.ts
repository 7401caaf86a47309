import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../../src/core/files/make-folder.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

test("a folder is made with its parents, for its owner alone, and may be there already", async () => {
  const root = await temporaryFolder();
  const folder = join(root, "one", "two", "three");
  for (const _ of [1, 2]) await makeFolder(folder);
  for (const made of [folder, join(root, "one")]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

test("a folder below a file is refused with the system's error", async () => {
  const file = join(await temporaryFolder(), "file");
  writeFileSync(file, "");
  await expect(makeFolder(join(file, "folder"))).rejects.toMatchObject({ code: "ENOTDIR" });
});
