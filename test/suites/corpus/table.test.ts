import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Inspection } from "../../../contracts/documents/inspection.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { runCli } from "../../support/run-cli.ts";
import { CORPUS, corpusFiles, corpusIsHere } from "./files.ts";
import { askLibpng, askPngcheck, askZipfile } from "./oracles.ts";
import { REASONS } from "./reasons.ts";

interface Row {
  readonly verdict: string;
  readonly kind: string;
  /** Sorted, each once; warnings in brackets. */
  readonly codes: string;
  /** Verdicts of other programs: `libpng=ok pngcheck=error`; `ok|error` where releases of one differ. */
  readonly oracles: string;
  readonly why: string;
  readonly sha256: string;
  readonly file: string;
}

const none = "-";
const [, ...LINES] = readFileSync(join(import.meta.dirname, "table.tsv"), "utf8")
  .trimEnd()
  .split("\n");
const TABLE: readonly Row[] = LINES.map((line) => {
  const [verdict = "", kind = "", codes = "", oracles = "", why = "", digest = "", file = ""] =
    line.split("\t");
  return { verdict, kind, codes, oracles, why, sha256: digest, file };
});
const pathOf = ({ file }: Row): string => join(CORPUS, file);
const stated = ({ oracles }: Row): string[] => (oracles === none ? [] : oracles.split(" "));
/** A program that only warns passes the file. */
const disagrees = (row: Row): boolean =>
  stated(row).some((one) => one.endsWith("=error") === (row.verdict === "ok"));
const rowsAskedOf = (oracle: string): Row[] => TABLE.filter((row) => row.oracles.includes(`${oracle}=`));
const opinionIn = (row: Row, oracle: string): string =>
  stated(row)
    .find((one) => one.startsWith(`${oracle}=`))
    ?.slice(oracle.length + 1) ?? none;

describe("the table of the public files", () => {
  test("gives a reason for each verdict that another program does not share, and for no other", () => {
    expect(TABLE.filter((row) => disagrees(row) !== row.why in REASONS).map((row) => row.file)).toEqual([]);
    expect(TABLE.filter((row) => !disagrees(row) && row.why !== none).map((row) => row.file)).toEqual([]);
    const used = new Set(TABLE.map((row) => row.why));
    expect(Object.keys(REASONS).filter((reason) => !used.has(reason))).toEqual([]);
  });
});

describe.skipIf(!corpusIsHere)("of the public files", () => {
  const inspections: Inspection[] = [];

  beforeAll(async () => {
    const stdin = Buffer.from(TABLE.map((row) => `${pathOf(row)}\0`).join(""));
    const run = await runCli("join", ["inspect", "--stdin0", "--json"], { stdin });
    inspections.push(
      ...run.stdout
        .trimEnd()
        .split("\n")
        .map((line) => Inspection.parse(JSON.parse(line))),
    );
    console.log(`corpus: join inspect, exit ${run.exit}: ${run.stderr.trimEnd()}`);
  });

  test("each stands in the table, with its digest", () => {
    expect(TABLE.map((row) => row.file).sort()).toEqual(corpusFiles());
    const other = TABLE.filter((row) => sha256(readFileSync(pathOf(row))) !== row.sha256);
    expect(other.map((row) => row.file)).toEqual([]);
  });

  test("each gets the verdict and the codes of the table", () => {
    const found = inspections.map(({ verdict, kind, findings }, index) => {
      const codes = findings.map((one) => (one.severity === "warning" ? `(${one.code})` : one.code));
      const shown = [...new Set(codes)].sort().join(" ");
      return [TABLE[index]?.file, kind, verdict, shown === "" ? none : shown].join("\t");
    });
    expect(found).toEqual(
      TABLE.map(({ file, kind, verdict, codes }) => [file, kind, verdict, codes].join("\t")),
    );
  });

  test("each PNG has libpng's verdict of the table, and each accepted one libpng's pixels", async () => {
    const rows = rowsAskedOf("libpng");
    const opinions = await askLibpng(rows.map(pathOf));
    let equal = 0;
    const wrong = rows.filter((row, index) => {
      const opinion = opinions[index];
      if (opinion?.verdict !== opinionIn(row, "libpng")) return true;
      if (row.verdict !== "ok") return false;
      const ours = inspections[TABLE.indexOf(row)]?.frames[0]?.pixels_sha256;
      equal += 1;
      return ours === undefined || ours !== opinion.pixelsSha256;
    });
    console.log(`corpus: libpng on ${rows.length} PNG files, pixels compared of ${equal}`);
    expect(wrong.map((row) => row.file)).toEqual([]);
    expect(equal).toBe(TABLE.filter((row) => row.kind === "png" && row.verdict === "ok").length);
  });

  test("each PNG has pngcheck's verdict of the table", async () => {
    const rows = rowsAskedOf("pngcheck");
    const opinions = await askPngcheck(rows.map(pathOf));
    const wrong = rows.filter((row, index) => opinions[index] !== opinionIn(row, "pngcheck"));
    console.log(`corpus: pngcheck on ${rows.length} PNG files`);
    expect(wrong.map((row) => row.file)).toEqual([]);
  });

  test("each archive has zipfile's verdict of the table", async () => {
    const rows = rowsAskedOf("zipfile");
    const opinions = await askZipfile(rows.map(pathOf));
    const wrong = rows.filter(
      (row, index) =>
        !opinionIn(row, "zipfile")
          .split("|")
          .includes(opinions[index] ?? none),
    );
    console.log(`corpus: Python's zipfile on ${rows.length} archives`);
    expect(wrong.map((row) => row.file)).toEqual([]);
  });
});
