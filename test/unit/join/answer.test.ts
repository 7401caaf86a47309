import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIMITS } from "../../../contracts/limits.ts";
import { answerTo } from "../../../src/join/decode/answer.ts";
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
