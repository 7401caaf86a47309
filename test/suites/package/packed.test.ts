import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const EVIDENCE = join(ROOT, "fixtures/evidence");
const run = promisify(execFile);

/** Somebody's project in which the packed tarball is a dependency; packed and installed once for all tests here. */
let home = "";
let tarball = "";
const kept = (): string => join(home, "node_modules/render-handoff");

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), `render-handoff-packed-${process.pid}-`));
  const pack = ["pack", "--ignore-scripts", "--json", "--silent", "--pack-destination", home];
  const { stdout } = await run("npm", pack, { cwd: ROOT });
  tarball = join(home, /[\w.-]+\.tgz/.exec(stdout)?.[0] ?? "");
  await writeFile(join(home, "package.json"), '{"type": "module", "private": true}');
  const patience = ["--fetch-retries=1", "--fetch-timeout=60000"];
  const install = [
    "install",
    "--ignore-scripts",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    ...patience,
    tarball,
  ];
  await run("npm", install, { cwd: home, timeout: 150_000 }).catch(async (failed: { stderr: string }) => {
    // our own package's faults; anything else is the registry's or the way to it
    if (/\b(ERESOLVE|EINTEGRITY|EBADENGINE)\b/.test(failed.stderr)) throw failed;
    console.log("npm cannot install here: dependencies of the checkout stand in for an installation");
    console.log(failed.stderr);
    await linkDependencies();
  });
}, 300_000);

afterAll(() => rm(home, { recursive: true, force: true }));

async function linkDependencies(): Promise<void> {
  await rm(join(home, "node_modules"), { recursive: true, force: true });
  await mkdir(kept(), { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", kept(), "--strip-components", "1"]);
  const { bin, dependencies } = JSON.parse(await readFile(join(kept(), "package.json"), "utf8"));
  const links = Object.keys(dependencies).map((name) => [join(ROOT, "node_modules", name), name] as const);
  const bins = Object.entries(bin).map(
    ([name, path]) => [join(kept(), String(path)), `.bin/${name}`] as const,
  );
  for (const [target, name] of [...links, ...bins]) await link(target, name);
}

async function link(target: string, name: string): Promise<void> {
  const place = join(home, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(target, place);
}

const CONSUMER = `
import { CATALOGUE, Job, JoinReport, STABLE_FIELDS } from "render-handoff/contracts";
import { checkFrame, type FrameSpec } from "render-handoff/frame";
import { bundleFromBuffer, readBundle, writeBundle } from "render-handoff/bundle";
import { assemble, systemClock, verifyEvidence, type VerifyOptions } from "render-handoff/join";

const expect: FrameSpec = { width: 32, height: 18, bitDepth: 8, colorType: 6 };
const frame = checkFrame(new Uint8Array(8), { expect });
const fault: string = frame.ok ? frame.facts.pixelsSha256 : (frame.faults[0]?.code ?? "none");
const caps = { bundleBytes: 1000, memberBytes: 1000, totalBytes: 1000 };
const bundle = readBundle(bundleFromBuffer(new Uint8Array(8)), { members: null, caps });
const zip: string = bundle.ok ? "ok" : (bundle.faults[0]?.code ?? "none");
const options: VerifyOptions = { folder: "nowhere", clock: systemClock };
const { report } = await verifyEvidence(options);
const same: JoinReport = JoinReport.parse(report);
// @ts-expect-error a verdict is one of three words
const wrong: "good" = same.verdict;
console.log(fault, zip, same.verdict, CATALOGUE.PNG_CRC.blame, STABLE_FIELDS.length);
console.log(typeof assemble, typeof writeBundle, typeof Job.parse, wrong === undefined);
`;

test("the packed tarball serves a library: an example verifies, types hold, nothing else is reachable", async () => {
  const example = join(kept(), "examples/verify-evidence.mjs");
  expect((await readFile(example, "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(15);

  const good = await run(process.execPath, [example, join(EVIDENCE, "accept/two-workers")]);
  expect(good.stdout).toMatch(/^accepted {2}dusk/);
  const bad: { code: number; stdout: string } = await run(process.execPath, [
    example,
    join(EVIDENCE, "reject/JOIN_SEQUENCE/a-frame-twice"),
  ]).catch((failed) => failed);
  expect([bad.code, bad.stdout.includes("reject JOIN_SEQUENCE")]).toEqual([1, true]);

  await writeFile(join(home, "consumer.ts"), CONSUMER);
  for (const one of ["@types"]) await link(join(ROOT, "node_modules", one), one);
  const strict = ["--noEmit", "--strict", "--target", "es2024", "--types", "node", "--skipLibCheck"];
  for (const how of [["nodenext"], ["preserve", "--moduleResolution", "bundler"]])
    await run(join(ROOT, "node_modules/.bin/tsc"), [...strict, "--module", ...how, "consumer.ts"], {
      cwd: home,
    }).catch((failed: { stdout: string }) => expect(failed.stdout).toBe(""));
  const used = await run(process.execPath, ["consumer.ts"], { cwd: home });
  expect(used.stdout.split("\n")[0]).toBe("PNG_SIGNATURE ZIP_NOT_A_ZIP undecided slot 19");

  const deep = ["-e", 'import("render-handoff/dist/src/join/verify.js").catch((e) => console.log(e.code))'];
  expect((await run(process.execPath, deep, { cwd: home })).stdout.trim()).toBe(
    "ERR_PACKAGE_PATH_NOT_EXPORTED",
  );
});

test("the tarball holds what users need and nothing else", async () => {
  const { stdout } = await run("tar", ["-tzf", tarball], { maxBuffer: 8 * 1024 * 1024 });
  const files = stdout.split("\n").filter((line) => line !== "");
  const names = files.map((file) => file.replace(/^package\//, ""));
  expect([...new Set(names.map((name) => name.split("/")[0]))].sort()).toEqual(
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "contracts",
      "dist",
      "docs",
      "examples",
      "man",
      "package.json",
    ].sort(),
  );
  const allowed = [
    /^dist\/(src|contracts)\/.*(\.js|\.d\.ts)$/,
    /^dist\/src\/blender\/python\/\w+\.py$/,
    /^dist\/src\/gateway\/page\/assets\/[\w-]+\.(js|css|svg)$/,
    /^dist\/bundle\/([\w.-]+\.js|LICENSES\.txt)$/,
    /^dist\/(bundle|src\/cli\/bin)\/package\.json$/,
    /^contracts\/(registry\.json|json-schema\/[\w.-]+\.json|modules\/[\w-]+\/[\w-]+\.json)$/,
    /^docs\/([A-Z-]+\.md|images\/[\w-]+\.(jpg|png))$/,
    /^man\/[\w-]+\.1$/,
    /^examples\/[\w-]+\.mjs$/,
    /^[A-Z]+\.md$|^LICENSE$|^package\.json$/,
  ];
  const beside = globSync(["src/**/*.py", "src/gateway/page/assets/*"]).map((file) => `dist/${file}`);
  expect(beside.filter((file) => !names.includes(file))).toEqual([]);
  expect(names.filter((name) => !allowed.some((pattern) => pattern.test(name)))).toEqual([]);
});

test("publint has nothing to say about the tarball", async () => {
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: new Uint8Array(bytes).buffer } });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test("types resolve for every entry, in Node.js modules and in bundlers", async () => {
  const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  if (checked.types === false) throw new Error("no types in the package");
  expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(["./join", "./frame", "./bundle"]));
  // the package is for ES modules alone, as `exports` and `engines` say
  const old = new Set(["node10", "node16-cjs"]);
  const problems = checked.problems.filter(
    (problem) => !("resolutionKind" in problem && old.has(problem.resolutionKind)),
  );
  expect(problems).toEqual([]);
});

test("the packed gateway starts and serves its page with everything that the page asks for", async () => {
  const bin = join(kept(), "dist/src/cli/bin/render-handoff.js");
  const args = ["gateway", "serve", "--data", join(home, "data"), "--port", "0", "--json"];
  const gateway = spawn(process.execPath, [bin, ...args], {
    env: { HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(gateway, "close");
  const lines = createInterface({ input: gateway.stdout })[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  const { url } = JSON.parse(String(first));
  const page = await (await fetch(url)).text();
  const asked = [...page.matchAll(/(?:href|src)="(\/page\.[a-z]+)"/g)].map((found) => found[1] ?? "");
  expect(asked.sort()).toEqual(["/page.css", "/page.js", "/page.svg"]);
  for (const path of asked) {
    const file = await fetch(new URL(path, url));
    expect([path, file.status, (await file.text()).length > 100]).toEqual([path, 200, true]);
  }
  gateway.kill("SIGTERM");
  expect((await closed)[0]).toBe(0);
});

test("in an empty folder, `npx render-handoff demo` renders and is accepted", {
  timeout: 600_000,
}, async () => {
  const path = [join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const env = { PATH: path, HOME: home, LANG: "C" };
  const demo = await run("npx", ["--no-install", "render-handoff", "demo", "--out", "pictures"], {
    cwd: home,
    env,
  });
  expect(demo.stdout).toMatch(/accepted/);
  expect(await readdir(join(home, "pictures"))).toEqual(
    expect.arrayContaining(["frame_0210.png", "report.html"]),
  );
  const help = await run("npx", ["--no-install", "render-handoff", "--version"], { cwd: home, env });
  expect(help.stdout.trim()).toBe(JSON.parse(await readFile("package.json", "utf8")).version);
});
