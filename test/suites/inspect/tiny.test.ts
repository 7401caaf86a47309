import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildPng, headerChunk, pngChunk } from "../../support/png-build.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** Tells at its end how much memory the process ever had, in kilobytes. */
const TELL = `process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS + "\\n"))`;

/** The line of an inspection, its exit code and the peak memory of the whole process in megabytes. */
async function inspect(bytes: Buffer): Promise<{ line: string; exit: number | null; megabytes: number }> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "a.png"), bytes);
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}` };
  const run = await runCli("join", ["inspect", "a.png"], { cwd: folder, env });
  const peaks = [...run.stderr.matchAll(/^peak (\d+)$/gm)].map((match) => Number(match[1]) / 1024);
  return { line: run.stdout, exit: run.exit, megabytes: Math.max(...peaks) };
}

test("58 bytes that call themselves 2 GB of pixels are refused in the memory that a small frame takes", async () => {
  const header = headerChunk({ width: 16_384, height: 16_384, bitDepth: 16 });
  const tiny = buildPng({ first: [header], data: [pngChunk("IDAT", "\x78")] });
  expect(tiny).toHaveLength(58);
  const [hostile, good] = [await inspect(tiny), await inspect(buildPng())];
  expect([hostile.exit, good.exit]).toEqual([1, 0]);
  expect(hostile.line).toContain("PNG_ZLIB_TRUNCATED");
  expect(hostile.megabytes).toBeLessThan(good.megabytes + 24);
});
