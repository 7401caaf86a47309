import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary.ts";

const ROOT = join(import.meta.dirname, "../../..");
const EVIDENCE = join(ROOT, "fixtures/evidence");
const run = promisify(execFile);

/** A folder in which the packed tarball is installed, as a dependency of somebody's project. */
async function installed(): Promise<{ home: string; kept: string }> {
  const home = await temporaryFolder();
  const { stdout } = await run(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--silent", "--pack-destination", home],
    {
      cwd: ROOT,
    },
  );
  const name = /[\w.-]+\.tgz/.exec(stdout)?.[0] ?? "";
  const modules = join(home, "node_modules");
  const kept = join(modules, "render-handoff");
  await mkdir(kept, { recursive: true });
  await run("tar", ["-xzf", join(home, name), "-C", kept, "--strip-components", "1"]);
  const { dependencies } = JSON.parse(await readFile(join(kept, "package.json"), "utf8"));
  for (const one of [...Object.keys(dependencies), "@types"]) {
    await mkdir(dirname(join(modules, one)), { recursive: true });
    await symlink(join(ROOT, "node_modules", one), join(modules, one));
  }
  await writeFile(join(home, "package.json"), '{"type": "module"}');
  return { home, kept };
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
  const { home, kept } = await installed();
  const example = join(kept, "examples/verify-evidence.mjs");
  expect((await readFile(example, "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(15);

  const good = await run(process.execPath, [example, join(EVIDENCE, "accept/two-workers")]);
  expect(good.stdout).toMatch(/^accepted {2}dusk/);
  const bad: { code: number; stdout: string } = await run(process.execPath, [
    example,
    join(EVIDENCE, "reject/JOIN_SEQUENCE/a-frame-twice"),
  ]).catch((failed) => failed);
  expect([bad.code, bad.stdout.includes("reject JOIN_SEQUENCE")]).toEqual([1, true]);

  await writeFile(join(home, "consumer.ts"), CONSUMER);
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"];
  await run(join(ROOT, "node_modules/.bin/tsc"), [...flags, "--skipLibCheck", "consumer.ts"], {
    cwd: home,
  }).catch((failed: { stdout: string }) => expect(failed.stdout).toBe(""));
  const used = await run(process.execPath, ["consumer.ts"], { cwd: home });
  expect(used.stdout.split("\n")[0]).toBe("PNG_SIGNATURE ZIP_NOT_A_ZIP undecided slot 19");

  const deep = ["-e", 'import("render-handoff/dist/src/join/verify.js").catch((e) => console.log(e.code))'];
  expect((await run(process.execPath, deep, { cwd: home })).stdout.trim()).toBe(
    "ERR_PACKAGE_PATH_NOT_EXPORTED",
  );
});
