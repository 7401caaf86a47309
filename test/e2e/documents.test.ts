import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary.ts";

const bin = join(import.meta.dirname, "../../node_modules/.bin");

/** The README's commands by terminal; only the port is another one, so that tests can run beside a gateway. */
async function terminals(port: number): Promise<Map<string, string>> {
  const text = await readFile("README.md", "utf8");
  const blocks = [...text.matchAll(/^```sh ([a-z-]+)\n([\s\S]*?)^```$/gm)];
  return new Map(
    blocks.map(([, name, commands]) => [name ?? "", (commands ?? "").replaceAll("8140", String(port))]),
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

const start = (commands: string, cwd: string): { child: ChildProcess; said: () => string } => {
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: cwd, LANG: "C" };
  const child = spawn("bash", ["-euc", commands.includes("gateway serve") ? `exec ${commands}` : commands], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += String(data)));
  return { child, said: () => said };
};

test("the README's commands in separate terminals lead to an accepted sequence", {
  timeout: 600_000,
}, async () => {
  const cwd = await temporaryFolder();
  const commands = await terminals(await freePort());
  expect([...commands.keys()]).toEqual(["gateway", "operator", "worker-a", "worker-b", "checker"]);
  const run = async (terminal: string): Promise<void> => {
    const { child, said } = start(commands.get(terminal) ?? "", cwd);
    const [code] = await once(child, "close");
    expect(code, `${terminal}: ${said()}`).toBe(0);
  };
  const gateway = start(commands.get("gateway") ?? "", cwd);
  try {
    while (!gateway.said().includes("serving")) await once(gateway.child.stdout ?? gateway.child, "data");
    await run("operator");
    await Promise.all([run("worker-a"), run("worker-b")]);
    await run("checker");
  } finally {
    gateway.child.kill("SIGTERM");
    const [code] = await once(gateway.child, "close");
    expect(code, "a stop that was asked for is no failure").toBe(0);
  }
  expect(await readdir(join(cwd, "shot-12"))).toContain("frame_0210.png");
});
