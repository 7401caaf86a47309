import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const MODULE = new URL("../../../src/cli/end-process.ts", import.meta.url);
/** More than a pipe holds. */
const LENGTH = 1_000_000;

const run = (script: string) => {
  const code = `import { endProcess } from ${JSON.stringify(MODULE.href)}; process.exitCode = 3; ${script}`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "pipe"] });
};

it("a process ends with its exit code when all that it said is read, and waits for nothing else", async () => {
  const said = `process.stdout.write("x".repeat(${LENGTH})); process.stderr.write("said");`;
  const child = run(`${said} setInterval(() => {}, 1000); void endProcess();`);
  const end = once(child, "close");
  await once(child.stderr, "data"); // a reader that begins when everything has been said
  expect(await text(child.stdout)).toHaveLength(LENGTH);
  expect(await end).toEqual([3, null]);
});

it("a process whose reader is gone ends all the same", async () => {
  const child = run(
    `process.stdout.on("error", () => void endProcess()); setInterval(() => process.stdout.write("x".repeat(${LENGTH})), 1);`,
  );
  child.stdout.destroy();
  expect(await once(child, "exit")).toEqual([3, null]);
});
