import { execFileSync } from "node:child_process";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCapped } from "../../../src/core/files/read-capped.ts";
import { writeDurable } from "../../../src/core/files/write-durable.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("a durable write leaves the whole file and nothing else", async () => {
  const folder = await temporaryFolder();
  await writeDurable(join(folder, "x"), "one");
  await writeDurable(join(folder, "x"), "two");
  expect(await readdir(folder)).toEqual(["x"]);
  expect(await readCapped(join(folder, "x"), 3)).toEqual({ ok: true, bytes: Buffer.from("two") });
});

test("a durable write into a folder that is not there leaves nothing", async () => {
  const folder = await temporaryFolder();
  await expect(writeDurable(join(folder, "no/x"), "one")).rejects.toThrow();
  expect(await readdir(folder)).toEqual([]);
});

test("two durable writes of one file at once both succeed, and one of them is there whole", async () => {
  const folder = await temporaryFolder();
  const texts = ["one".repeat(100_000), "two".repeat(100_000), "six".repeat(100_000)];
  await Promise.all(texts.map((text) => writeDurable(join(folder, "x"), text)));
  expect(await readdir(folder)).toEqual(["x"]);
  expect(texts).toContain(await readFile(join(folder, "x"), "utf8"));
});

test("what a killed process of the same id left does not stand in the way of a durable write", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, `x.${process.pid}.partial`), "half");
  await writeDurable(join(folder, "x"), "whole");
  expect(await readFile(join(folder, "x"), "utf8")).toBe("whole");
});

test("a link, a FIFO, a folder, a large file and an absent one are not read", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "file"), "1234");
  await symlink("file", join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "fifo")]);
  const why = async (name: string) => {
    const read = await readCapped(join(folder, name), 3);
    return read.ok ? "read" : read.why;
  };
  expect(await Promise.all(["file", "link", "fifo", ".", "absent", "file/x"].map(why))).toEqual([
    "too_large",
    "not_regular",
    "not_regular",
    "not_regular",
    "absent",
    "absent",
  ]);
});
