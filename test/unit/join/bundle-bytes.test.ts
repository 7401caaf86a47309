import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleBytes } from "../../../src/join/decode/bundle-bytes.ts";
import { temporaryFolder } from "../../support/temporary.ts";

it("what cannot be looked at counts nothing: absent, a link to itself, below a file", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "slots/a"), { recursive: true });
  await symlink("bundle.zip", join(folder, "slots/a/bundle.zip"));
  await writeFile(join(folder, "slots/b"), "no folder");
  expect(bundleBytes([folder, join(folder, "absent")])).toBe(0);
  await mkdir(join(folder, "other/slots/b"), { recursive: true });
  await writeFile(join(folder, "other/slots/b/bundle.zip"), "12345");
  expect(bundleBytes([folder, join(folder, "other")])).toBe(5);
});
