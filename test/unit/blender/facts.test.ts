import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXTRA_SETTINGS } from "../../../contracts/documents/job.ts";
import { scriptsFolder } from "../../../src/blender/containment/command.ts";
import { REFUSAL_CODES, readFacts } from "../../../src/blender/facts.ts";
import { renderFrames } from "../../../src/blender/render.ts";
import { attempt, fakeBlender } from "../../support/blender.ts";
import { temporaryFolder } from "../../support/temporary.ts";

async function writtenFacts(): Promise<Record<string, unknown>> {
  const options = await attempt(await fakeBlender("honest"));
  await renderFrames(options);
  return JSON.parse(await readFile(join(options.runFolder, "facts", "facts.json"), "utf8"));
}

async function readBack(content: string) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "facts.json"), content);
  return readFacts(folder);
}

test("facts are read; a build hash that names no commit is 'unknown'", async () => {
  const facts = await writtenFacts();
  expect((await readBack(JSON.stringify({ ...facts, build_hash: "Unknown" })))?.build_hash).toBe("unknown");
  expect((await readBack(JSON.stringify({ ...facts, build_hash: "9B3BE2D7CD" })))?.build_hash).toBe(
    "9b3be2d7cd",
  );
});

test("facts that are cut off, of another shape or with a foreign code are none", async () => {
  const facts = await writtenFacts();
  expect(await readBack(JSON.stringify(facts).slice(0, -5))).toBeNull();
  expect(await readBack(JSON.stringify({ ...facts, more: 1 }))).toBeNull();
  const refusals = [{ code: "GATEWAY_REFUSED", items: [] }];
  expect(await readBack(JSON.stringify({ ...facts, refusals }))).toBeNull();
});

test("facts that are absent or a link to elsewhere are none", async () => {
  const folder = await temporaryFolder();
  expect(await readFacts(folder)).toBeNull();
  await symlink("/etc/hostname", join(folder, "facts.json"));
  expect(await readFacts(folder)).toBeNull();
});

test("the enforcing script knows exactly the contract's further settings and refuses with known codes", async () => {
  const script = await readFile(join(scriptsFolder(), "enforce.py"), "utf8");
  const block = /EXTRA_SETTINGS = \{([^}]*)\}/.exec(script)?.[1] ?? "";
  expect([...block.matchAll(/"([^"]+)"/g)].map(([, path]) => path).sort()).toEqual(
    [...EXTRA_SETTINGS].sort(),
  );
  const used = new Set([...script.matchAll(/"(RENDER_[A-Z_]+)"/g)].map(([, code]) => code));
  expect([...used].sort()).toEqual([...REFUSAL_CODES].sort());
});
