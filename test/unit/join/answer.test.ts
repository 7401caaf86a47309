import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../contracts/limits.ts";
import { answerTo } from "../../../src/join/decode/answer.ts";
import { openDesk } from "../../../src/join/decode/desk.ts";
import { buildPng, pngChunk } from "../../support/png-build.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { buildZip, member } from "../../support/zip-build.ts";

it("a manifest over the cap of documents is refused by its stated size, however large a frame may be", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "bundle.zip");
  const caps = { bundleBytes: 2 ** 30, memberBytes: 2 ** 29, totalBytes: 2 ** 31 };
  const ask = async (bytes: number) => {
    const content = Buffer.alloc(bytes, "x");
    await writeFile(path, buildZip([member("manifest.json", { content, method: 0, data: content })]));
    return answerTo({ kind: "bundle", path, members: ["manifest.json"], manifest: "manifest.json", caps });
  };
  expect(await ask(LIMITS.jsonBytes)).toMatchObject({ faults: [] });
  expect(await ask(LIMITS.jsonBytes + 1)).toMatchObject({
    faults: [{ code: "ZIP_MEMBER_TOO_LARGE", where: "manifest.json", actual: String(LIMITS.jsonBytes + 1) }],
    manifest: null,
  });
});

it("a manifest whose data is over that cap is refused unread, however little it unpacks to", async () => {
  const path = join(await temporaryFolder(), "bundle.zip");
  const caps = { bundleBytes: 2 ** 30, memberBytes: 2 ** 29, totalBytes: 2 ** 31 };
  const content = Buffer.from("{}");
  const data = Buffer.concat([deflateRawSync(content), Buffer.alloc(LIMITS.jsonBytes)]);
  await writeFile(path, buildZip([member("manifest.json", { content, method: 8, data })]));
  const task = { kind: "bundle", path, members: ["manifest.json"], manifest: "manifest.json", caps } as const;
  expect(await answerTo(task)).toMatchObject({
    faults: [{ code: "ZIP_MEMBER_TOO_LARGE", where: "manifest.json", actual: String(data.length) }],
  });
});

describe("of a frame", () => {
  const caps = { bundleBytes: 2 ** 30, memberBytes: 2 ** 29, totalBytes: 2 ** 31 };
  const spec = { width: 7, height: 6, bitDepth: 8, colorType: 6 } as const;
  const name = "frame_0001.png";
  async function ask(content: Buffer, others: number, more: { second?: true; memoryBytes?: number } = {}) {
    const path = join(await temporaryFolder(), "bundle.zip");
    const names = Array.from({ length: others }, (_, at) => `other_${at}`);
    await writeFile(path, buildZip([member(name, { content }), ...names.map((one) => member(one))]));
    const { memoryBytes = Infinity, ...asked } = more;
    const members = [name, ...names];
    return answerTo(
      { kind: "frame", path, members, caps, member: name, expect: spec, ...asked },
      openDesk(memoryBytes),
    );
  }

  it("nobody keeps the words of its file", async () => {
    const content = buildPng({ before: [pngChunk("tEXt", "Software\0x")] });
    const answer = await ask(content, 0);
    expect(answer.kind === "frame" ? answer.facts?.text : null).toEqual({});
  });

  it("in a bundle of thousands only some faults are told, yet of each code one", async () => {
    const content = buildPng({
      before: Array.from({ length: 120 }, (_, at) => pngChunk("abCd", at < 60 ? "" : "x")),
    });
    const answer = await ask(content, 4_999);
    const codes = answer.kind === "frame" ? answer.faults.map((one) => one.code) : [];
    expect(codes).toEqual([
      "PNG_CHUNK_DROPPED",
      "PNG_CHUNK_DROPPED",
      "PNG_CHUNK_DROPPED",
      "PNG_NOT_CANONICAL",
    ]);
  });

  it("the second decoder, which holds all pixels several times, is not asked beyond the memory there is", async () => {
    const content = buildPng();
    const memoryBytes = 2 * content.length; // packed and unpacked
    expect(await ask(content, 0, { memoryBytes })).toMatchObject({ faults: [] });
    expect(await ask(content, 0, { memoryBytes, second: true })).toMatchObject({
      faults: [{ code: "JOIN_DECODE_MEMORY" }],
    });
  });
});

it("a bundle that is written to while it is read is undecided: nothing is said of either state", async () => {
  const path = join(await temporaryFolder(), "bundle.zip");
  const content = Buffer.from("{}");
  await writeFile(path, buildZip([member("manifest.json", { content, method: 0, data: content })]));
  const caps = { bundleBytes: 1_000, memberBytes: 1_000, totalBytes: 1_000 };
  const task = { kind: "bundle", path, members: ["manifest.json"], manifest: "manifest.json", caps } as const;
  expect(await answerTo(task)).toMatchObject({ kind: "bundle", faults: [] });
  const answer = answerTo(task); // it has read all of it by now, and waits for the second reader
  appendFileSync(path, "more");
  expect(await answer).toMatchObject({ kind: "unreadable" });
});
