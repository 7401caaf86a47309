import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary.ts";

const run = promisify(execFile);

test("the bill of materials follows CycloneDX and names every dependency of the product", async () => {
  const out = join(await temporaryFolder(), "sbom.cdx.json");
  await run("npm", ["run", "--silent", "sbom", "--", out]);
  const text = await readFile(out, "utf8");
  const bill = JSON.parse(text);
  const version =
    Spec.Version[`v${String(bill.specVersion).replace(".", "dot")}` as keyof typeof Spec.Version];
  expect(await new Validation.JsonStrictValidator(version).validate(text)).toBeNull();

  const components: { name: string; version: string; licenses?: unknown[]; hashes?: unknown[] }[] =
    bill.components;
  const { dependencies, devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
  const named = new Map(components.map((one) => [one.name, one.version]));
  for (const [name, pinned] of Object.entries(dependencies)) expect(named.get(name), name).toBe(pinned);
  expect(Object.keys(devDependencies).filter((name) => named.has(name) && !(name in dependencies))).toEqual(
    [],
  );
  expect(components.filter((one) => one.licenses === undefined).map((one) => one.name)).toEqual([]);
});
