import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JoinReport } from "../../contracts/documents/join-report.ts";
import { bareEnvironment } from "../support/bare-environment.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary.ts";

const MAKES = [205, 206, 207, 208, 209, 210].map((frame) => `frame_0${frame}.png`);

test("the demo renders with two workers, is accepted, and gives the same frames on a second run", {
  timeout: 600_000,
}, async () => {
  const folder = await temporaryFolder();
  const scene = join(folder, "scene.blend");
  expect((await runCli("render-handoff", ["demo", "--make-scene", scene])).exit).toBe(0);
  const sums: string[] = [];
  for (const out of [join(folder, "first"), join(folder, "second")]) {
    const run = await runCli("render-handoff", ["demo", "--scene", scene, "--out", out]);
    expect(run.stderr.replaceAll(/^demo: .*\n/gm, "")).toBe("");
    expect(run.exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(
      ["SHA256SUMS", "contact-sheet.png", ...MAKES, "join-report.json", "preview.png", "report.html"].sort(),
    );
    const report = JoinReport.parse(JSON.parse(await readFile(join(out, "join-report.json"), "utf8")));
    expect(report.verdict).toBe("accepted");
    expect(report.anchored).toEqual({ job: true, gateway: true });
    expect(report.provenance.a?.worker_uuid).not.toBe(report.provenance.b?.worker_uuid);
    execFileSync("pngcheck", ["-q", ...MAKES, "contact-sheet.png"], { cwd: out });
    execFileSync("sha256sum", ["-c", "--quiet", "SHA256SUMS"], { cwd: out });
    sums.push(await readFile(join(out, "SHA256SUMS"), "utf8"));
  }
  expect(sums[1]).toBe(sums[0]);
});

test("a demo that is stopped by a signal leaves no process, no folder and no output", async () => {
  const folder = await temporaryFolder();
  const out = join(folder, "out");
  const bin = join(import.meta.dirname, "../../src/cli/bin/render-handoff.ts");
  const env = { ...bareEnvironment(), HOME: folder, TMPDIR: folder };
  const demo = spawn(process.execPath, [bin, "demo", "--out", out], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  demo.stderr.on("data", (data) => {
    const atWork = said.includes("at work");
    said += String(data);
    // one signal and no more: a second could meet Node.js on its way out, with its handlers gone
    if (!atWork && said.includes("at work")) demo.kill("SIGTERM");
  });
  const [code] = await once(demo, "close");
  expect(code, said).toBe(143);
  expect(said).toMatch(/^INTERRUPTED: /m);
  expect(await readdir(folder)).toEqual([]);
});
