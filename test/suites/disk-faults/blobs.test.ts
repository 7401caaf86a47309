import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { blobPath } from "../../../src/gateway/blobs/folder/open.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { files, path, put } from "../gateway/blob-calls.ts";
import { startFollowed } from "./traced.ts";

// Flushes and writes of blobs fail on a real process: what is acknowledged was flushed whole, and nothing else stays.

const DATA = Buffer.alloc(300_000, 7);

async function places() {
  const dataFolder = join(await temporaryFolder(), "data");
  const root = join(dataFolder, "blobs");
  const final = blobPath(root, sha256(DATA));
  const staged = (nth: number) => join(root, "staging", `${sha256(DATA)}.${nth}`);
  return { dataFolder, root, folder: dirname(final), final, staged };
}
type Places = Awaited<ReturnType<typeof places>>;

const FAULTS: [string, (at: Places) => string, number][] = [
  ["file", ({ staged }) => staged(1), 1],
  ["folder", ({ folder }) => folder, 1],
  // the first time is at the start
  ["place among the folders", ({ root }) => root, 2],
];
test.each(FAULTS)(
  "a blob whose %s cannot be flushed leaves nothing, and is flushed whole when it comes again",
  async (what, faulty, nth) => {
    const at = await places();
    const { gateway, done } = await startFollowed(at.dataFolder, {
      paths: [faulty(at)],
      inject: `fsync:error=EIO:when=${nth}`,
    });
    const refused = await put(gateway, DATA);
    expect(refused).toMatchObject({ status: 503, code: "unavailable" });
    expect(files(gateway)).toEqual([]);
    expect((await gateway.call(path(DATA))).code).toBe("blob_unknown");
    const before = (await done()).length;
    expect((await put(gateway, DATA)).status).toBe(201);
    // the file has another temporary name by then
    expect((await done()).slice(before)).toEqual(what === "file" ? [] : [faulty(at)]);
    await gateway.kill();
    const next = await startGatewayProcess({ dataFolder: at.dataFolder });
    expect((await next.call(path(DATA))).bytes.equals(DATA)).toBe(true);
  },
);

test("a blob that lies there since its writer was killed is flushed before it counts as there", async () => {
  const at = await places();
  mkdirSync(at.folder, { recursive: true });
  writeFileSync(at.final, DATA);
  const { gateway, done } = await startFollowed(at.dataFolder, {
    paths: [at.final, at.folder, at.root],
    inject: null,
  });
  const before = (await done()).length;
  expect((await put(gateway, DATA)).status).toBe(201);
  expect((await done()).slice(before)).toEqual([at.final, at.folder, at.root]);
});

test("a disk that is full in the middle of a blob refuses it as unavailable, and takes it when there is room", async () => {
  const at = await places();
  const { gateway } = await startFollowed(at.dataFolder, {
    paths: [at.staged(1)],
    inject: "write:error=ENOSPC:when=3+",
  });
  const refused = await put(gateway, DATA);
  expect(refused).toMatchObject({ status: 503, code: "unavailable" });
  expect(readdirSync(join(at.root, "staging"))).toEqual([]);
  expect(files(gateway)).toEqual([]);
  expect((await put(gateway, DATA)).status).toBe(201);
  expect((await gateway.call(path(DATA))).bytes.equals(DATA)).toBe(true);
});
