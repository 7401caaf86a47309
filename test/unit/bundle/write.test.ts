import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../contracts/limits.ts";
import { bundleFromBuffer, extractMember, readBundle } from "../../../src/bundle/read.ts";
import { askSecondReader } from "../../../src/bundle/second-reader.ts";
import { type NewMember, writeBundle } from "../../../src/bundle/write.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const caps = { bundleBytes: 1e9, memberBytes: 1e9, totalBytes: 1e9 };
const members = () => [
  { name: "frame_0205.png", bytes: Buffer.alloc(70_000, 1) },
  { name: "frame_0206.png", bytes: new Uint8Array(0) },
  { name: "manifest.json", bytes: Buffer.from("{}") },
];
const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "nothing",
    (thrown: unknown) => (thrown instanceof Error && "code" in thrown ? thrown.code : thrown),
  );

test("a written bundle is accepted by our reader and by yauzl, with the same bytes in it", async () => {
  const path = join(await temporaryFolder(), "bundle.zip");
  const written = await writeBundle({ path, members: members(), maxBytes: 1e9 });
  const bytes = await readFile(path);
  expect(written).toEqual({ bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
  const source = bundleFromBuffer(bytes);
  const verdict = readBundle(source, { members: members().map((member) => member.name), caps });
  if (!verdict.ok) throw new Error(verdict.faults.map((fault) => fault.code).join(" "));
  expect(await askSecondReader(source, verdict.members)).toEqual([]);
  for (const [index, { bytes: content }] of members().entries()) {
    const member = verdict.members[index];
    if (member === undefined) throw new Error("missing");
    expect(extractMember(source, member)).toEqual({ ok: true, bytes: Buffer.from(content) });
  }
});

test("the same members give the same bytes at any time, from a list or from a stream", async () => {
  const folder = await temporaryFolder();
  async function* stream() {
    yield* members();
  }
  const one = await writeBundle({ path: join(folder, "a.zip"), members: members(), maxBytes: 1e9 });
  const two = await writeBundle({ path: join(folder, "b.zip"), members: stream(), maxBytes: 1e9 });
  expect(two).toEqual(one);
  // a change of this digest is a change of the format: workers and checkers of two versions would differ
  expect(one.sha256).toBe("ef196428707d33a5d0c2f29aa18e52bd57fd70eabcea9f53e47f2c92ffa1e5bc");
});

test("a bundle is written beside what a killed process of the same id left of it, and beside another writer", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "bundle.zip");
  await writeFile(`${path}.${process.pid}.partial`, "half");
  const write = () => writeBundle({ path, members: members(), maxBytes: 1e9 });
  const [one, other] = await Promise.all([write(), write()]);
  expect(other).toEqual(one);
  expect((await readFile(path)).byteLength).toBe(one.bytes);
});

test("what was given is not changed by writing it", async () => {
  const given = members();
  await writeBundle({ path: join(await temporaryFolder(), "bundle.zip"), members: given, maxBytes: 1e9 });
  expect(given).toEqual(members());
});

test("a member that is a file gives the same bytes as one in memory", async () => {
  const folder = await temporaryFolder();
  const files = members().map(({ name }) => ({ name, file: join(folder, name) }));
  for (const { name, bytes } of members()) await writeFile(join(folder, name), bytes);
  const one = await writeBundle({ path: join(folder, "a.zip"), members: members(), maxBytes: 1e9 });
  const two = await writeBundle({ path: join(folder, "b.zip"), members: files, maxBytes: 1e9 });
  expect(two).toEqual(one);
});

test("files are never held in memory as a whole", async () => {
  const folder = await temporaryFolder();
  const size = 8 * 1024 * 1024;
  await writeFile(join(folder, "frame"), Buffer.alloc(size, 3));
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  function* large() {
    for (let index = 0; index < 12; index += 1) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      yield { name: `frame_${1000 + index}.png`, file: join(folder, "frame") };
    }
  }
  await writeBundle({ path: join(folder, "bundle.zip"), members: large(), maxBytes: 1e9 });
  expect(most).toBeLessThan(4 * size);
});

describe("nothing is left at the path", () => {
  const refused = async (options: { members: Iterable<NewMember>; maxBytes?: number }): Promise<unknown> => {
    const folder = await temporaryFolder();
    const path = join(folder, "bundle.zip");
    const code = await codeOf(writeBundle({ maxBytes: 1e9, ...options, path }));
    expect(await readdir(folder)).toEqual([]);
    return code;
  };

  test("when the bundle would be a byte over its cap; at the cap it is written", async () => {
    const path = join(await temporaryFolder(), "bundle.zip");
    const { bytes } = await writeBundle({ path, members: members(), maxBytes: 1e9 });
    expect(await codeOf(writeBundle({ path, members: members(), maxBytes: bytes }))).toBe("nothing");
    expect(await refused({ members: members(), maxBytes: bytes - 1 })).toBe("BUNDLE_TOO_LARGE");
  });

  test("when there are more members than a bundle can have", async () => {
    const many = Array.from({ length: LIMITS.zipMembers + 1 }, (_, index) => ({
      name: `m${String(index).padStart(5, "0")}`,
      bytes: new Uint8Array(0),
    }));
    expect(await refused({ members: many })).toBe("BUNDLE_TOO_LARGE");
  });

  test("when members come twice, out of order or with a name that is not plain", async () => {
    const [a, b] = members();
    if (a === undefined || b === undefined) throw new Error("missing");
    for (const wrong of [
      [a, a],
      [b, a],
      [{ ...a, name: "é" }],
      [{ ...a, name: "" }],
      [{ ...a, name: "../a" }],
    ])
      expect(await refused({ members: wrong })).toBe("INTERNAL_UNEXPECTED");
  });

  test("when a member's file is not there", async () => {
    const absent = join(await temporaryFolder(), "absent");
    expect(await refused({ members: [{ name: "a", file: absent }] })).toBe("BUNDLE_WRITE_FAILED");
  });

  test("when a member's file grows while it is written", async () => {
    const file = join(await temporaryFolder(), "file");
    await writeFile(file, "");
    let looks = 0;
    const growing = {
      name: "a",
      get file() {
        looks += 1;
        if (looks === 2) appendFileSync(file, "more");
        return file;
      },
    };
    expect(await refused({ members: [growing] })).toBe("BUNDLE_WRITE_FAILED");
  });

  test("when a member cannot be had", async () => {
    function* broken(): Generator<NewMember> {
      yield* members().slice(0, 1);
      throw new Error("gone");
    }
    expect(await refused({ members: broken() })).toBe("BUNDLE_WRITE_FAILED");
  });

  test("when the folder is not there, or the path is a folder", async () => {
    const folder = await temporaryFolder();
    const absent = join(folder, "absent", "bundle.zip");
    expect(await codeOf(writeBundle({ path: absent, members: members(), maxBytes: 1e9 }))).toBe(
      "BUNDLE_WRITE_FAILED",
    );
    await writeFile(join(folder, "file"), "");
    const inFile = join(folder, "file", "bundle.zip");
    expect(await codeOf(writeBundle({ path: inFile, members: members(), maxBytes: 1e9 }))).toBe(
      "BUNDLE_WRITE_FAILED",
    );
    expect(await codeOf(writeBundle({ path: folder, members: members(), maxBytes: 1e9 }))).toBe(
      "BUNDLE_WRITE_FAILED",
    );
    expect(await readdir(folder)).toEqual(["file"]);
  });
});
