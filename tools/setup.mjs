// Installs what the main job or the tests need on a fresh machine, then builds. Runs on the machine's own
// Node.js (20 or newer) before any package is there. Usage: node tools/setup.mjs demo|test
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");
const DEBIAN_PACKAGES = {
  demo: { blender: "blender", bwrap: "bubblewrap" },
  test: {
    blender: "blender",
    bwrap: "bubblewrap",
    pngcheck: "pngcheck",
    unzip: "unzip",
    python3: "python3",
    strace: "strace",
    faketime: "faketime",
    chromium: "chromium",
    gcc: "gcc",
    "libpng16-config": "libpng-dev",
    zsh: "zsh",
    fish: "fish",
    mandoc: "mandoc",
    openssl: "openssl",
    kubectl: "kubernetes-client",
    "systemd-analyze": "systemd",
    "/usr/lib/postgresql/15/bin/postgres": "postgresql-15",
    "/usr/bin/memcached": "memcached",
    "/usr/bin/swift-proxy-server": "swift-proxy",
    "/usr/bin/swift-account-server": "swift-account",
    "/usr/bin/swift-container-server": "swift-container",
    "/usr/bin/swift-object-server": "swift-object",
  },
};

const purpose = process.argv[2];
if (purpose !== "demo" && purpose !== "test") throw new Error("usage: node tools/setup.mjs demo|test");
installPackages();
installPrograms(DEBIAN_PACKAGES[purpose]);
run("npm", ["run", "--silent", "build"]);

/** npm packages from the lock file, when they are not there or older than it. */
function installPackages() {
  const installed = join(root, "node_modules/.package-lock.json");
  const lock = join(root, "package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.error("setup: installing npm packages");
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** Programs from Debian's packages where we may install them, else exact instructions. */
function installPrograms(programs) {
  const missing = Object.entries(programs).filter(([program]) => !isThere(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  if (!isDebian() || process.getuid?.() !== 0) {
    console.error(`setup: not installed: ${missing.map(([program]) => program).join(", ")}`);
    console.error(
      `  Debian and Ubuntu: sudo apt-get update && sudo apt-get install -y ${packages.join(" ")}`,
    );
    console.error(
      "  elsewhere: Blender from https://www.blender.org/download/, the others from your system's packages;",
    );
    console.error("  they must be on PATH. Then run this command again.");
    process.exit(4);
  }
  console.error(`setup: installing ${packages.join(", ")} from Debian's packages`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], env);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], env);
}

/** By its path where Debian keeps it off PATH, else by its name. */
function isThere(program) {
  return program.startsWith("/") ? existsSync(program) : onPath(program);
}

function onPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8")) && onPath("apt-get");
  } catch {
    return false;
  }
}

/** The child's output goes to stderr, so that the command that follows owns stdout. */
function run(command, args, env = process.env) {
  try {
    execFileSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
  } catch {
    console.error(`setup: '${command} ${args.join(" ")}' failed`);
    process.exit(4);
  }
}
