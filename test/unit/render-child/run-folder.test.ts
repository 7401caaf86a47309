import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary.ts";

/** Of a user who is bound by modes; root is not. */
const NOBODY = 65_534;

test("a tree with folders that nobody may list, enter or write to is removed, and nothing beside it", async () => {
  const top = await temporaryFolder();
  const [tree, beside] = [join(top, "tree"), join(top, "beside")];
  const folders = [
    top,
    tree,
    join(tree, "closed"),
    join(tree, "closed/inner"),
    join(tree, "read-only"),
    beside,
  ];
  for (const folder of folders.slice(1)) mkdirSync(folder);
  for (const folder of folders.slice(2)) writeFileSync(join(folder, "file"), "");
  symlinkSync(beside, join(tree, "link"));
  const own = process.getuid?.() !== 0;
  if (!own) for (const folder of folders) chownSync(folder, NOBODY, NOBODY);
  chmodSync(join(tree, "read-only"), 0o500);
  chmodSync(join(tree, "closed/inner"), 0);
  chmodSync(join(tree, "closed"), 0);
  chmodSync(beside, 0o500);

  const module = new URL("../../../src/render-child/run-folder.ts", import.meta.url);
  const become = own ? "" : `process.setgid(${NOBODY}); process.setuid(${NOBODY});`;
  const script = `const { removeTree } = await import(${JSON.stringify(module)});
    ${become} await removeTree(${JSON.stringify(tree)});`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: top });

  expect(existsSync(tree)).toBe(false);
  expect(existsSync(join(beside, "file"))).toBe(true);
  chmodSync(beside, 0o700);
});
