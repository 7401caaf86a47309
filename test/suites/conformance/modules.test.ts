import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { ROUTES } from "../../../contracts/routes.ts";
import { loadModules, standardConfiguration } from "../../../src/conformance/configuration.ts";
import { readModule } from "../../../src/conformance/read-module.ts";
import { searchModules } from "../../../src/conformance/search-modules.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { readAdapter } from "../reference/adapter.ts";

const NAME = "fencing-idempotency";

/** A copy of a module after `change`; the code and message that reading it ends in, or null. */
async function afterChange(change: (folder: string) => Promise<void>): Promise<HandoffError | null> {
  const folder = join(await temporaryFolder(), NAME);
  await cp(join("contracts/modules", NAME), folder, { recursive: true });
  await change(folder);
  try {
    await readModule(folder, (await standardConfiguration()).modules);
    return null;
  } catch (thrown) {
    if (thrown instanceof HandoffError) return thrown;
    throw thrown;
  }
}

test("every module of the package is what the registry pins, and none stands beside it", async () => {
  const configuration = await standardConfiguration();
  const loaded = await loadModules(configuration, []);
  const names = loaded.map(({ module }) => module.name);
  expect((await readdir("contracts/modules")).sort()).toEqual(names.toSorted());
  console.log(
    `conformance: ${names.length} modules, ${loaded.flatMap(({ module }) => module.rules).length} rules, ${loaded.flatMap(({ ledger }) => ledger.cases).length} cases`,
  );
});

test("a copy of a module elsewhere is accepted by its pin", async () => {
  expect(await afterChange(async () => {})).toBe(null);
});

test.each(["module.json", "ledger.json", "adapter.json", "MANIFEST.json"])(
  "one changed byte of %s fails closed and names the file",
  async (name) => {
    const error = await afterChange(async (folder) => {
      const bytes = await readFile(join(folder, name));
      const at = bytes.lastIndexOf('"');
      bytes[at - 1] = (bytes[at - 1] ?? 0) ^ 1;
      await writeFile(join(folder, name), bytes);
    });
    expect(error?.code).toBe("CONFORMANCE_MODULE_CHANGED");
    expect(error?.message).toContain(name);
  },
);

test.each(["module.json", "ledger.json", "adapter.json", "MANIFEST.json"])(
  "a missing %s fails closed and names the file",
  async (name) => {
    const error = await afterChange((folder) => rm(join(folder, name)));
    expect(error?.code).toBe("CONFORMANCE_MODULE_CHANGED");
    expect(error?.message).toContain(name);
  },
);

test("a file that is not listed fails closed and is named", async () => {
  const error = await afterChange((folder) => writeFile(join(folder, "selftest.py"), "print('hello')"));
  expect(error?.code).toBe("CONFORMANCE_MODULE_CHANGED");
  expect(error?.message).toContain("selftest.py");
});

test("a module that no pin names is refused", async () => {
  const folder = join("contracts/modules", NAME);
  const pins = (await standardConfiguration()).modules.filter(({ name }) => name !== NAME);
  await expect(readModule(folder, pins)).rejects.toMatchObject({ code: "CONFORMANCE_MODULE_UNPINNED" });
});

test("a pinned manifest whose documents do not follow their schema is refused", async () => {
  const folder = join(await temporaryFolder(), "odd");
  await cp("contracts/modules/reopen", folder, { recursive: true });
  await writeFile(join(folder, "MANIFEST.json"), "{}");
  const pin = { name: "reopen", version: "1.0.0", manifest_sha256: sha256("{}") };
  await expect(readModule(folder, [pin])).rejects.toMatchObject({ code: "CONFORMANCE_MODULE_INVALID" });
});

test.each([
  ["lease fencing", NAME],
  ["Lease  Fencing!", NAME],
  ["zombie worker", NAME],
  ["visibility timeout", "lease"],
  ["crash safety", "durability"],
  ["LEASE-04", "lease"],
  ["receipt", "submit"],
])("a search for %s finds %s first", async (words, name) => {
  const loaded = await loadModules(await standardConfiguration(), []);
  const found = searchModules(loaded, words).map(({ module }) => module.name);
  expect(found[0]).toBe(name);
  expect(searchModules(loaded.toReversed(), words).map(({ module }) => module.name)).toEqual(found);
});

test("a search for what no module has finds nothing", async () => {
  const loaded = await loadModules(await standardConfiguration(), []);
  expect(searchModules(loaded, "xyzzy")).toEqual([]);
});

test("the adapter names routes that exist", () => {
  for (const { route } of readAdapter().operations) expect(Object.keys(ROUTES)).toContain(route);
  expect(basename(NAME)).toBe(readAdapter().module);
});
