import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { bareEnvironment } from "../../support/bare-environment.ts";
import { buildPng } from "../../support/png-build.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { buildZip, member } from "../../support/zip-build.ts";
import { folderOf } from "../../unit/join/folder-of.ts";

const BIN = join(import.meta.dirname, "../../../src/cli/bin/join.ts");
/** So many that a command which looks at no signal is at work for minutes. */
const MANY = 20_000;

/** `join` at work on much, once it has said its first line. */
async function atWork(args: readonly string[], stdin = "") {
  const child = spawn(process.execPath, [BIN, ...args], { env: bareEnvironment() });
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

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)(
  "join inspect prints an answer while stdin stays open and silent, and %s ends it",
  async (signal, exit) => {
    const file = join(await temporaryFolder(), "frame.png");
    await writeFile(file, buildPng());
    const child = spawn(process.execPath, [BIN, "inspect", "--stdin0"], {
      env: bareEnvironment(),
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "close");
    child.stdin.write(`${file}\0`);
    const [line] = await once(child.stdout, "data");
    expect(String(line)).toMatch(/^ok +png /);
    child.kill(signal);
    expect((await ended)[0]).toBe(exit);
  },
);

test("a program whose decoders are closed while bundles are inspected comes to its end", async () => {
  const folder = await temporaryFolder();
  const content = buildPng();
  const file = join(folder, "bundle.zip");
  await writeFile(file, buildZip(Array.from({ length: 30 }, (_, at) => member(`${at}.png`, { content }))));
  const url = (name: string) =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../../src", name)));
  const program = `
    import { openDecoders } from ${url("join/decode/open-decoders.ts")};
    import { inspectFile } from ${url("join/inspect.ts")};
    import { systemClock } from ${url("core/clock.ts")};
    const decoders = openDecoders({ threads: 2 }, systemClock);
    const options = { path: ${JSON.stringify(file)}, frame: null, members: null };
    const all = Array.from({ length: 40 }, () => inspectFile(options, decoders));
    await all[0];
    await decoders.close();
    const rest = await Promise.all(all);
    console.log(rest[0].verdict, rest.at(-1).verdict, rest.at(-1).findings[0].code);
  `;
  // in a file: what is given by -e would be given to the threads as well
  await writeFile(join(folder, "program.mjs"), program);
  const child = spawn(process.execPath, [join(folder, "program.mjs")]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = text(child.stdout);
  expect((await once(child, "close"))[0]).toBe(0);
  expect(await said).toBe("ok undecided JOIN_DECODE_CRASHED\n");
});
