// Writes MANIFEST.json of every contract module and contracts/registry.json after a change of a module.
// A module whose files changed needs a new version in its module.json first; the run refuses otherwise.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../src/core/digest.ts";

const contracts = join(import.meta.dirname, "../contracts");
const registryPath = join(contracts, "registry.json");
interface Pin {
  readonly name: string;
  readonly version: string;
  readonly manifest_sha256: string;
}
const pinned: Pin[] = existsSync(registryPath) ? JSON.parse(readFileSync(registryPath, "utf8")).modules : [];
const anew = process.argv[2] === "--same-version"; // before a release only: nobody has pinned it yet

const modules = readdirSync(join(contracts, "modules"))
  .sort()
  .map((name): Pin => {
    const folder = join(contracts, "modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "module.json"), "utf8"));
    const files = readdirSync(folder)
      .filter((file) => file !== "MANIFEST.json")
      .sort();
    const manifest = text({
      schema: "render_handoff.contract_manifest.v1",
      name,
      version,
      files: Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(folder, file)))])),
    });
    const pin = { name, version: String(version), manifest_sha256: sha256(manifest) };
    const old = pinned.find((one) => one.name === name && one.version === pin.version);
    if (old !== undefined && old.manifest_sha256 !== pin.manifest_sha256 && !anew)
      throw new Error(`${name} changed and is still ${pin.version}: give it a new version in module.json`);
    writeFileSync(join(folder, "MANIFEST.json"), manifest);
    return pin;
  });
writeFileSync(registryPath, text({ schema: "render_handoff.contract_registry.v1", modules }));
console.log(`${modules.length} modules sealed`);

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
