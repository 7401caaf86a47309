// `npm run test:crash`: the crash matrix as `npm test` plays it; with --all every point, signal, containment and
// who runs again.
import { spawnSync } from "node:child_process";

const whole = process.argv.includes("--all");
const { status } = spawnSync("vitest", ["run", "--project", "suites", "test/suites/crash-matrix"], {
  stdio: "inherit",
  env: { ...process.env, ...(whole ? { TEST_WHOLE: "1" } : {}) },
});
process.exitCode = status ?? 1;
