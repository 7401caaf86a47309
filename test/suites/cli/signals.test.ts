import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { buildPng } from "../../support/png-build.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { buildZip, member } from "../../support/zip-build.ts";
import { folderOf } from "../../unit/join/folder-of.ts";

const BIN = join(import.meta.dirname, "../../../src/cli/bin/join.ts");
/** So many that a command which looks at no signal is at work for minutes. */
const MANY = 20_000;

/** `join` at work on much, once it has said its first line. */
async function atWork(args: readonly string[], stdin = "") {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env["PATH"] } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = text(child.stderr);
  child.stdin.on("error", () => {}); // it may end before it has read all of it
  child.stdin.end(stdin);
  await once(child.stdout, "data");
  return { child, ended: once(child, "close").then(async ([exit]) => ({ exit, stderr: await said })) };
}

const verifying = async () => {
  const folder = await folderOf();
  return atWork(["verify", ...Array.from({ length: MANY / 10 }, () => folder), "--json"]);
};
const inspect = async (name: string, bytes: Buffer) => {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, bytes);
  return atWork(["inspect", "--stdin0"], `${file}\0`.repeat(MANY));
};
const inspecting = () => inspect("frame.png", buildPng());
/** Each has tasks of its own, many of them on their way at any time. */
const inspectingBundles = () => {
  const content = buildPng();
  const members = Array.from({ length: 200 }, (_, at) => member(`${at}.png`, { content }));
  return inspect("bundle.zip", buildZip(members));
};

test.each([
  ["verify", verifying, "SIGTERM", 143],
  ["verify", verifying, "SIGINT", 130],
  ["inspect", inspecting, "SIGINT", 130],
  ["inspect", inspecting, "SIGTERM", 143],
  ["inspect", inspectingBundles, "SIGINT", 130],
  ["inspect", inspectingBundles, "SIGTERM", 143],
] as const)("join %s of much ends at a signal, as stopped by it", async (_name, start, signal, exit) => {
  const { child, ended } = await start();
  child.stdout.resume();
  child.kill(signal);
  const end = await ended;
  expect(end.exit, end.stderr).toBe(exit);
  expect(end.stderr).toMatch(new RegExp(`^INTERRUPTED: .*\\(${signal}\\)\\n$`));
});

test.each([
  ["verify", verifying],
  ["inspect", inspecting],
  ["inspect", inspectingBundles],
] as const)("join %s whose reader has gone ends without a word", async (_name, start) => {
  const { child, ended } = await start();
  child.stdout.destroy();
  expect(await ended).toEqual({ exit: 141, stderr: "" });
});
