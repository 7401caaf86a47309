// Bundles what the commands and their threads run into few files, beside the compiled modules that libraries
// import: loading two hundred modules takes longer than verifying frames. They are CommonJS, which Node.js loads
// without starting its loader of ES modules.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";

/** Entries by their place in src/; each becomes a stub that loads its bundle. */
const BINS = ["cli/bin/join", "cli/bin/render-child", "cli/bin/render-handoff"];
const THREADS = ["join/decode/worker", "join/draw/worker", "render-child/heartbeat/thread"];
/** Packages of many modules, or of the decoders; all others stay in node_modules. Their licences go along. */
const PACKAGES = ["canonicalize", "commander", "pend", "undici", "yauzl", "zod"];

/** `folder` is dist/ as the compiler left it. */
export async function bundle(folder) {
  const out = join(folder, "bundle");
  await build(folder, BINS, "");
  // a thread shares nothing with others: one file to load
  for (const place of THREADS) await build(folder, [place], `${nameOf(place)}-`);
  for (const below of ["bundle", "src/cli/bin"])
    writeFileSync(join(folder, below, "package.json"), '{ "type": "commonjs" }\n');
  for (const place of BINS) writeStub(folder, place, CACHED);
  for (const place of THREADS) writeStub(folder, place, PLAIN);
  writeFileSync(join(out, "LICENSES.txt"), licences());
}

/** The bundler's own small functions come from nowhere else. */
const INSIDE = new Set([...PACKAGES, "@oxc-project/runtime"]);
const DECLARED = new Set(Object.keys(JSON.parse(readFileSync("package.json", "utf8")).dependencies));

/** `zod` of `zod/v4`, `@a/b` of `@a/b/c`. */
const packageOf = (id) => id.split("/", id.startsWith("@") ? 2 : 1).join("/");

/** All that starts the decoders, in one small file: their start is what a verdict waits for. */
const AHEAD = { name: "ahead", test: /cli\/(?:decoders-ahead|end-process)\.js$/ };

const nameOf = (place) => place.replaceAll("/", "-");

async function build(folder, places, prefix) {
  const out = join(folder, "bundle");
  const built = await rolldown({
    input: Object.fromEntries(places.map((place) => [nameOf(place), join(folder, "src", `${place}.js`)])),
    platform: "node",
    external: (id) => /^[^./]/.test(id) && !INSIDE.has(packageOf(id)),
    plugins: [ownPlace(folder), noProcesses],
  });
  const output = {
    dir: out,
    format: "cjs",
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: `${prefix}[name]-[hash].js`,
    codeSplitting: { groups: [AHEAD] },
  };
  const { output: files } = await built.write(output);
  await built.close();
  checkImports(files);
}

/** What an installation will not have beside the bundle must not be imported by it. */
export function checkImports(files) {
  const written = new Set(files.map((file) => file.fileName));
  const known = (id) => written.has(id) || isBuiltin(id) || DECLARED.has(packageOf(id));
  const unknown = files
    .filter((file) => file.type === "chunk")
    .flatMap((file) => [...file.imports, ...file.dynamicImports].map((id) => ({ file: file.fileName, id })))
    .filter(({ id }) => !known(id));
  if (unknown.length === 0) return;
  const said = unknown.map(({ file, id }) => `${file} imports ${id}`).join(", ");
  throw new Error(`neither of Node.js nor a declared dependency: ${said}`);
}

/** A module that finds a file beside itself must find it from its bundle too; a thread begins with its bundle. */
const ownPlace = (folder) => ({
  name: "own-place",
  transform(code, id) {
    if (!code.includes("import.meta.url")) return null;
    const own = JSON.stringify(relative(join(folder, "bundle"), id));
    const beside = relative(join(folder, "src"), dirname(id));
    const placed = code.replace(
      /siblingModule\(import\.meta\.url, "(\w+)"\)|import\.meta\.url/g,
      (_, thread) =>
        thread === undefined
          ? `new URL(${own}, import.meta.url).href`
          : `new URL("./${nameOf(join(beside, thread))}.js", import.meta.url)`,
    );
    return { code: placed, map: null };
  },
});

/** Commander starts programs of their own for commands that are none of its own: here there are none. */
const noProcesses = {
  name: "no-processes",
  transform(code, id) {
    if (!id.endsWith("commander/lib/command.js")) return null;
    return { code: code.replace("import childProcess from 'node:child_process';", ""), map: null };
  },
};

const PLAIN = (path) => `import "${path}";\n`;
/** Compiled code is kept in the user's own cache folder: the shared one that Node would take is anyone's. */
const CACHED = (path) => `#!/usr/bin/env node
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");

const { HOME, XDG_CACHE_HOME } = process.env;
const home = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (home) enableCompileCache?.(join(home, "render-handoff", "compiled"));
require("${path}");
`;

function writeStub(folder, place, text) {
  const path = join(folder, "src", `${place}.js`);
  rmSync(`${path}.map`);
  writeFileSync(path, text(`${relative(dirname(path), join(folder, "bundle"))}/${nameOf(place)}.js`));
}

function licences() {
  return PACKAGES.map((name) => {
    const folder = join("node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "license"].map((one) => join(folder, one)).find(existsSync);
    return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(file, "utf8")}\n`;
  }).join("\n----\n\n");
}
