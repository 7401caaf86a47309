import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Inspection } from "../../../contracts/documents/inspection.ts";
import { frameSpec, memberList } from "../../../src/cli/commands/join-inspect.ts";
import { inspectFile } from "../../../src/join/inspect.ts";
import { buildPng, GOOD_HEADER, pngChunk } from "../../support/png-build.ts";
import { type CliRun, runCli } from "../../support/run-cli.ts";
import { sharedDecoders } from "../../support/shared-decoders.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { buildZip, member } from "../../support/zip-build.ts";

const decoders = sharedDecoders();
const frame = buildPng();
const palette = buildPng({
  header: { ...GOOD_HEADER, colorType: 3 },
  before: [pngChunk("PLTE", "abc"), pngChunk("tRNS", "a")],
});
const text = pngChunk("tEXt", "Software\0x");
const FILES: Record<string, Buffer> = {
  "good.png": frame,
  "remarks.png": buildPng({ before: [text] }),
  "palette.png": palette,
  "interlaced.png": buildPng({ header: { ...GOOD_HEADER, interlace: 1 }, before: [pngChunk("PLTE", "abc")] }),
  "damaged.png": Buffer.concat([Buffer.from("x"), frame]),
  "empty.png": Buffer.alloc(0),
  "notes.txt": Buffer.from("no picture"),
  "empty.zip": Buffer.alloc(0),
  "good.zip": buildZip([
    member("frame_0205.png", { content: frame, method: 8 }),
    member("other/notes.txt", { content: Buffer.from("any") }),
  ]),
  "bad-frame.zip": buildZip([member("Shot.PNG", { content: palette }), member("b.png", { content: frame })]),
  "bad-member.zip": buildZip([member("a", { crc: 1 }), member("b.png", { content: frame })]),
  prefixed: Buffer.concat([Buffer.from("#!"), buildZip([member("a")])]),
};

async function folderOf(files: Record<string, Buffer> = FILES): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return folder;
}
const any = { frame: null, members: null };
const inspect = async (args: string[], options: { cwd?: string; stdin?: Buffer } = {}): Promise<CliRun> =>
  runCli("join", ["inspect", ...args], { cwd: await folderOf(), ...options });
const documentsOf = (run: CliRun): Inspection[] =>
  run.stdout
    .trimEnd()
    .split("\n")
    .map((line) => Inspection.parse(JSON.parse(line)));

describe("join inspect", () => {
  test("says of each file, in the order given, its kind, verdict and codes", async () => {
    const run = await inspect([...Object.keys(FILES), "--json"]);
    const seen = documentsOf(run).map((one) => [
      one.file,
      one.kind,
      one.verdict,
      ...one.findings.map((found) => (found.severity === "warning" ? `(${found.code})` : found.code)),
    ]);
    expect(seen).toEqual([
      ["good.png", "png", "ok"],
      ["remarks.png", "png", "ok", "(PNG_NOT_CANONICAL)"],
      ["palette.png", "png", "reject", "PNG_FORMAT"],
      ["interlaced.png", "png", "reject", "PNG_FORMAT"],
      ["damaged.png", "png", "reject", "PNG_SIGNATURE"],
      ["empty.png", "png", "reject", "PNG_SIGNATURE"],
      ["notes.txt", "unknown", "reject", "JOIN_KIND_UNKNOWN"],
      ["empty.zip", "bundle", "reject", "ZIP_NOT_A_ZIP"],
      ["good.zip", "bundle", "ok"],
      ["bad-frame.zip", "bundle", "reject", "PNG_FORMAT"],
      ["bad-member.zip", "bundle", "reject", "ZIP_CRC"],
      ["prefixed", "bundle", "reject", "ZIP_DIRECTORY_BOUNDS"],
    ]);
    expect(run.exit).toBe(1);
    expect(run.stderr).toBe("12 files: 3 ok, 9 reject, 0 undecided\n");
  });

  test("prints one line a file, verdict first, and of hostile names nothing that a terminal would obey", async () => {
    const name = "a\u001b[31m\nb.png";
    const run = await inspect(["good.png", name], {
      cwd: await folderOf({ "good.png": frame, [name]: palette }),
    });
    expect(run.stdout).toBe(
      "ok        png     good.png\nreject    png     a\\u{1b}[31m\\u{a}b.png PNG_FORMAT(IHDR@8)\n",
    );
  });

  test("names the frames that passed, with size, format and digests", async () => {
    const one = await inspectFile({ path: join(await folderOf(), "good.zip"), ...any }, decoders);
    expect(one.frames).toMatchObject([
      { path: "frame_0205.png", width: 7, height: 6, bit_depth: 8, color_type: 6, canonical: true },
    ]);
  });

  test("names the member in the path of what is wrong with it", async () => {
    const one = await inspectFile({ path: join(await folderOf(), "bad-frame.zip"), ...any }, decoders);
    expect(one.findings.map((found) => found.path)).toEqual(["Shot.PNG/IHDR@8"]);
    expect(one.frames.map((found) => found.path)).toEqual(["b.png"]);
  });

  test.each([
    ["good.png", "7x6:RGBA:8", null, []],
    ["good.png", "6x7:RGBA:8", null, ["PNG_SIZE_MISMATCH"]],
    ["good.png", "7x6:RGB:16", null, ["PNG_DEPTH_MISMATCH", "PNG_COLOR_MISMATCH"]],
    ["good.zip", "7x6:BW:8", null, ["PNG_COLOR_MISMATCH"]],
    ["good.zip", null, "frame_0205.png,other/notes.txt", []],
    ["good.zip", null, "frame_0205.png,manifest.json", ["ZIP_MEMBER_UNEXPECTED", "ZIP_MEMBER_MISSING"]],
    ["good.png", null, "manifest.json", []],
  ] as const)("of %s as %s with members %s says %j", async (name, spec, members, codes) => {
    const path = join(await folderOf(), name);
    const frame = spec === null ? null : frameSpec(spec);
    const { findings } = await inspectFile({ path, frame, members: members?.split(",") ?? null }, decoders);
    expect(findings.map((found) => found.code)).toEqual(codes);
  });

  test("is undecided about what cannot be read, with exit code 3; a rejection beside it wins", async () => {
    const cwd = await folderOf();
    await mkdir(join(cwd, "folder.png"));
    execFileSync("mkfifo", [join(cwd, "pipe.png")]);
    const unreadable = ["absent.png", "folder.png", "pipe.png"];
    const run = await inspect([...unreadable, "good.png", "--json"], { cwd });
    expect(documentsOf(run).map((one) => [one.verdict, one.findings[0]?.code ?? ""])).toEqual([
      ...unreadable.map(() => ["undecided", "JOIN_FILE_UNREADABLE"]),
      ["ok", ""],
    ]);
    expect(run.exit).toBe(3);
    expect((await inspect([...unreadable, "palette.png"], { cwd })).exit).toBe(1);
  });

  test("follows a link that a person names", async () => {
    const cwd = await folderOf();
    await symlink("good.png", join(cwd, "link"));
    expect((await inspect(["link"], { cwd })).exit).toBe(0);
  });

  test("takes thousands of paths from stdin, NUL-ended, some no UTF-8, and keeps their order", async () => {
    const cwd = await folderOf();
    const latin1 = Buffer.concat([Buffer.from(`${cwd}/f`), Buffer.from([0xfc]), Buffer.from(".png")]);
    writeFileSync(latin1, frame);
    const many = Array.from({ length: 2_000 }, (_, at) => (at % 3 === 0 ? "good.zip" : "good.png"));
    const stdin = Buffer.concat([Buffer.from(`${many.join("\0")}\0`), latin1, Buffer.from("\0palette.png")]);
    const run = await inspect(["--stdin0"], { cwd, stdin });
    const lines = run.stdout.trimEnd().split("\n");
    expect(lines.slice(0, 2_000).map((line) => line.split(/ +/)[2])).toEqual(many);
    expect(lines.slice(2_000).map((line) => line.split(/ +/)[0])).toEqual(["ok", "reject"]);
    expect(run.stderr).toBe("2002 files: 2001 ok, 1 reject, 0 undecided\n");
    expect(run.exit).toBe(1);
  });

  test("with an empty stdin has nothing to say, and ends well", async () => {
    const run = await inspect(["--stdin0"], { stdin: Buffer.alloc(0) });
    expect([run.exit, run.stdout]).toEqual([0, ""]);
  });

  test.each([[["--stdin0", "good.png"]], [[]]])("%j is a wrong call", async (args) => {
    const run = await inspect(args, { stdin: Buffer.alloc(0) });
    expect([run.code, run.exit, run.stdout]).toEqual(["USAGE_ARGUMENT", 2, ""]);
  });

  test.each(["640x360", "640x360:RGBA:12", "0x1:BW:8", "16385x1:RGBA:8", "7x6:rgba:8", " 7x6:RGBA:8"])(
    "%j is no frame",
    (spec) => expect(() => frameSpec(spec)).toThrow(),
  );

  test.each(["a,,b", "a,a", ""])("%j is no list of members", (list) =>
    expect(() => memberList(list)).toThrow(),
  );
});
