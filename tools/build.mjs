// Builds dist/ from scratch: compiled modules, the files beside them that are no TypeScript, and the bundles.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, globSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "./bundle.mjs";

const root = join(import.meta.dirname, "..");
process.chdir(root);
const fresh = `.work/dist-${process.pid}`;
rmSync(fresh, { recursive: true, force: true });
execFileSync("tsc", ["-p", "tsconfig.build.json", "--outDir", fresh], { stdio: "inherit" });
for (const file of globSync("src/{**/*.py,gateway/page/assets/*}")) {
  mkdirSync(join(fresh, dirname(file)), { recursive: true });
  cpSync(file, join(fresh, file));
}
await bundle(join(root, fresh));
for (const file of globSync(`${fresh}/src/cli/bin/*.js`)) chmodSync(file, 0o755);
rmSync("dist", { recursive: true, force: true });
renameSync(fresh, "dist");
