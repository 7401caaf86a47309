import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { isCode } from "../../../contracts/catalogue.ts";
import { bundleFromBuffer, extractMember, readBundle } from "../../../src/bundle/read.ts";
import { askSecondReader } from "../../../src/bundle/second-reader.ts";
import { canonicalFrame } from "../../../src/frame/canonical-frame.ts";
import { checkFrame } from "../../../src/frame/check-frame.ts";
import { pngjsRows } from "../../support/png-pixels.ts";
import { CORPUS, corpusFiles, corpusIsHere } from "./files.ts";

const filesOf = (kind: "png" | "zip"): string[] =>
  corpusFiles()
    .filter((name) => name.startsWith(`${kind}/`))
    .filter((name) => (kind === "png" ? /\.png$/ : /\.(zip|whl|ja)$/).test(name))
    .map((name) => join(CORPUS, name));

/** PngSuite's names end in interlacing, colour type and depth: `basn2c08`. */
function suiteFormat(path: string): boolean {
  const [, interlace, color, depth] = /(.)([0-9])[gcpa](\d\d)\.png$/.exec(path) ?? [];
  return interlace === "n" && ["0", "2", "6"].includes(color ?? "") && ["08", "16"].includes(depth ?? "");
}

describe.skipIf(!corpusIsHere)("of the public PNG files", () => {
  test("each gets a verdict of catalogue codes; what is accepted has pngjs's pixels and a canonical form", () => {
    const files = filesOf("png");
    let accepted = 0;
    for (const path of files) {
      const bytes = readFileSync(path);
      const verdict = checkFrame(bytes, { expect: null, keepRows: true });
      if (!verdict.ok) {
        expect(verdict.faults.length, path).toBeGreaterThan(0);
        expect(verdict.faults.every((fault) => isCode(fault.code))).toBe(true);
        continue;
      }
      accepted += 1;
      const { facts } = verdict;
      expect(facts.rows?.equals(pngjsRows(bytes, facts)), path).toBe(true);
      const canonical = checkFrame(canonicalFrame(bytes), { expect: facts });
      expect(canonical, path).toMatchObject({
        ok: true,
        facts: { canonical: true, pixelsSha256: facts.pixelsSha256, colourChunks: facts.colourChunks },
      });
    }
    console.log(
      `corpus: ${files.length} PNG files, ${accepted} accepted, ${files.length - accepted} refused`,
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test("each sound one of PngSuite in a handed-over format is accepted, each corrupt one refused", () => {
    const suite = filesOf("png").filter((path) => /\/pngsuite\//.test(path) && suiteFormat(path));
    const codes = suite.map((path) => {
      const verdict = checkFrame(readFileSync(path), { expect: null });
      return [basename(path), verdict.ok ? "" : verdict.faults.map((fault) => fault.code).join(" ")] as const;
    });
    const wrong = codes.filter(([name, found]) => {
      if (name.startsWith("x")) return found === "";
      const forbidden = ["PNG_TRANSPARENCY", "PNG_PALETTE"].includes(found);
      return found !== "" && !forbidden;
    });
    console.log(`corpus: ${codes.length} files of PngSuite in a handed-over format`);
    expect(wrong).toEqual([]);
    expect(codes.length).toBeGreaterThan(50);
  });

  test("each corrupt one of PngSuite is refused", () => {
    const corrupt = filesOf("png").filter((path) => /\/pngsuite\/x/.test(path));
    for (const path of corrupt) expect(checkFrame(readFileSync(path), { expect: null }).ok, path).toBe(false);
    console.log(`corpus: ${corrupt.length} corrupt files of PngSuite`);
    expect(corrupt.length).toBeGreaterThan(10);
  });
});

describe.skipIf(!corpusIsHere)("of the public ZIP files", () => {
  test("each gets a verdict of catalogue codes; of what is accepted yauzl sees the same members", async () => {
    const caps = { bundleBytes: 64e6, memberBytes: 64e6, totalBytes: 256e6 };
    const files = filesOf("zip");
    let [accepted, members, refused] = [0, 0, 0];
    for (const path of files) {
      const source = bundleFromBuffer(readFileSync(path));
      const verdict = readBundle(source, { members: null, caps });
      if (!verdict.ok) {
        expect(verdict.faults.length, path).toBeGreaterThan(0);
        expect(verdict.faults.every((fault) => isCode(fault.code))).toBe(true);
        continue;
      }
      accepted += 1;
      expect(await askSecondReader(source, verdict.members), path).toEqual([]);
      for (const member of verdict.members) {
        members += 1;
        const extracted = extractMember(source, member);
        if (extracted.ok) expect(extracted.bytes.length).toBe(member.bytes);
        else refused += 1;
      }
    }
    console.log(
      `corpus: ${files.length} ZIP files, ${accepted} accepted (${members} members, ${refused} of them refused), ` +
        `${files.length - accepted} refused`,
    );
    expect(accepted).toBeGreaterThan(20);
  });

  test("none that another project's tests refuse is accepted with its members", () => {
    const caps = { bundleBytes: 64e6, memberBytes: 64e6, totalBytes: 256e6 };
    const rejects = filesOf("zip").filter((path) => /\/pypi-warehouse\/reject__/.test(path));
    const taken = rejects.filter((path) => {
      const source = bundleFromBuffer(readFileSync(path));
      const verdict = readBundle(source, { members: null, caps });
      return verdict.ok && verdict.members.every((member) => extractMember(source, member).ok);
    });
    console.log(`corpus: ${rejects.length} ZIP files that PyPI refuses`);
    expect(taken).toEqual([]);
  });
});
