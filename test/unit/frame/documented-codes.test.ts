import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PNG_CODES } from "../../../contracts/codes/png.ts";
import { ZIP_CODES } from "../../../contracts/codes/zip.ts";

test("docs/FRAMES-AND-BUNDLES.md names every code of frames and bundles, and no other", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/FRAMES-AND-BUNDLES.md"), "utf8");
  const named = new Set(page.match(/\b(PNG|ZIP)_[A-Z0-9_]+\b/g));
  // the second decoder belongs to join, where pictures are drawn
  const codes = [...Object.keys(PNG_CODES), ...Object.keys(ZIP_CODES)].filter(
    (code) => code !== "PNG_DECODERS_DISAGREE",
  );
  expect([...named].sort()).toEqual(codes.sort());
});
