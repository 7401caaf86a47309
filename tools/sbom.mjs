// Writes the bill of materials of what is installed for users (CycloneDX): node tools/sbom.mjs FILE
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const file = process.argv[2];
if (file === undefined) throw new Error("usage: node tools/sbom.mjs FILE");
const format = ["--sbom-format", "cyclonedx", "--sbom-type", "application", "--omit", "dev"];
const bill = JSON.parse(
  execFileSync("npm", ["sbom", ...format, "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  }),
);
// npm names the folder of the checkout; the product has a name of its own
const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
bill.metadata.component.name = name;
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
