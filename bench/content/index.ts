// The figures of docs/CONTENT.md: renders the made scenes with the Blender on PATH and prints what the checker sees.
// Usage: node bench/content/index.ts [SCENE …]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFrame } from "../../src/frame/check-frame.ts";
import { compareFrames, type SeenFrame } from "../../src/join/content/compare.ts";
import { lookAt } from "../../src/join/content/look.ts";

const SCENES = join(import.meta.dirname, "scenes.py");
const DEMO = join(import.meta.dirname, "../../src/blender/python/demo_scene.py");
const FLAGS = ["--background", "--factory-startup", "-noaudio", "--python-exit-code", "9"];

const folder = mkdtempSync(join(tmpdir(), "content-"));
try {
  const request = { folder, name: "demo.blend", width: 320, height: 180, samples: 8, texture: null };
  const renders = join(folder, "renders");
  mkdirSync(renders);
  blender([...FLAGS, "--python", DEMO, "--", JSON.stringify(request)]);
  const scene = join(folder, "demo.blend");
  blender([...FLAGS, scene, "--python", SCENES, "--", renders, ...process.argv.slice(2)]);
  const scenes = new Map(readdirSync(renders).map((name) => [name, seenIn(join(renders, name))]));
  console.log(
    "| scene | luma of 205, 210 | spread, least | pink, most | steps within slots | seam | seam / step |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const [name, seen] of scenes) console.log(row(name, seen));
  const demo = scenes.get("demo") ?? [];
  console.log("\nSlot a of the demo with slot b of another scene:\n");
  console.log("| slot b | seam | seam / step |\n| --- | --- | --- |");
  for (const [name, seen] of scenes) {
    const { seam } = compareFrames([...demo.slice(0, 3), ...seen.slice(3)]);
    if (name !== "demo" && seam !== null)
      console.log(`| ${name} | ${percent(seam.difference_ppm)} | ${ratio(seam)} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function blender(args: string[]): void {
  execFileSync("blender", args, { stdio: ["ignore", "ignore", "inherit"] });
}

function seenIn(path: string): SeenFrame[] {
  return readdirSync(path)
    .sort()
    .map((name, index) => {
      const frame = checkFrame(readFileSync(join(path, name)), { expect: null, keepRows: true });
      if (!frame.ok || frame.facts.rows === undefined) throw new Error(`${path}/${name} is refused`);
      const { pixelsSha256, rows } = frame.facts;
      const slot = index < 3 ? "a" : "b";
      return { frame: 205 + index, slot, pixelsSha256, look: lookAt(rows, frame.facts) };
    });
}

function row(name: string, seen: readonly SeenFrame[]): string {
  const { frames, neighbours, seam } = compareFrames(seen);
  const [first, last] = [frames.at(0), frames.at(-1)];
  const steps = neighbours.filter((_, index) => index !== 2).map((pair) => pair.difference_ppm);
  const cells = [
    name,
    `${percent(first?.luma_mean_ppm ?? 0)}, ${percent(last?.luma_mean_ppm ?? 0)}`,
    percent(Math.min(...frames.map((one) => one.luma_deviation_ppm))),
    percent(Math.max(...frames.map((one) => one.magenta_ppm))),
    `${percent(Math.min(...steps))} to ${percent(Math.max(...steps))}`,
    percent(seam?.difference_ppm ?? 0),
    seam === null ? "" : ratio(seam),
  ];
  return `| ${cells.join(" | ")} |`;
}

function percent(ppm: number): string {
  return `${(ppm / 10_000).toFixed(2)} %`;
}

function ratio(seam: { difference_ppm: number; within_slots_ppm: number }): string {
  return (seam.difference_ppm / Math.max(1, seam.within_slots_ppm)).toFixed(2);
}
