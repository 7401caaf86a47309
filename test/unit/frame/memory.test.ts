import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildPng, GOOD_HEADER, pngChunk } from "../../support/png-build.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const SIDE = 4_096;
const CHECK = JSON.stringify(
  pathToFileURL(join(import.meta.dirname, "../../../src/frame/check-frame.ts")).href,
);
const PROGRAM = `
  import { readFileSync } from "node:fs";
  import { checkFrame } from ${CHECK};
  const { ok } = checkFrame(readFileSync(process.argv[1]), { expect: null });
  console.log(JSON.stringify({ ok, peak: process.resourceUsage().maxRSS }));
`;

/** Peak memory of a process that checks one frame of 64 MiB of black, whose stream states that window. */
async function peakWith(windowBits: number): Promise<number> {
  const stream = deflateSync(Buffer.alloc(SIDE * (1 + SIDE * 4)), { level: 9, windowBits });
  const path = join(await temporaryFolder(), "frame.png");
  const header = { ...GOOD_HEADER, width: SIDE, height: SIDE };
  await writeFile(path, buildPng({ header, data: [pngChunk("IDAT", stream)] }));
  const run = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", PROGRAM, path]);
  const { ok, peak } = JSON.parse(run.stdout);
  expect(ok).toBe(true);
  return peak;
}

test("a frame whose stream states a small window takes no more memory than with the full one", async () => {
  const full = await peakWith(15);
  for (const bits of [14, 9]) expect((await peakWith(bits)) / full).toBeLessThan(1.25);
});
