import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "./free-port.ts";

const bin = join(import.meta.dirname, "../../node_modules/.bin");

export interface Terminal {
  readonly name: string;
  readonly commands: string;
}

/** The blocks of a page that are played: those that name a terminal, as `sh operator`, in the page's order. */
export const terminalsOf = (page: string): Terminal[] =>
  [...readFileSync(page, "utf8").matchAll(/^```sh ([a-z-]+)\n([\s\S]*?)^```$/gm)].map(
    ([, name = "", commands = ""]) => ({ name, commands }),
  );

/**
 * Plays a page's commands as a reader would type them, in one folder; only the port is another one. A terminal that
 * serves goes on to the end; workers that follow one another run at the same time; each command must end with 0.
 */
export async function playDocument(page: string, cwd: string): Promise<void> {
  let port = String(await freePort());
  const servers: Running[] = [];
  let together: Running[] = [];
  const settle = async (): Promise<void> => {
    for (const one of together) await one.succeeded();
    together = [];
  };
  try {
    for (const { name, commands } of terminalsOf(page)) {
      if (!name.startsWith("worker-")) await settle();
      const play = (): Running => start(name, commands.replaceAll("8140", port), cwd);
      if (commands.includes("gateway serve")) {
        let server = play();
        // somebody else may have taken the port meanwhile
        for (let tries = 1; tries < 5 && !(await server.serves()); tries += 1) {
          port = String(await freePort());
          server = play();
        }
        servers.push(server);
        await server.serves();
        continue;
      }
      together.push(play());
      if (!name.startsWith("worker-")) await settle();
    }
    await settle();
  } finally {
    for (const server of servers) await server.stop();
  }
}

interface Running {
  succeeded(): Promise<void>;
  /** False when its port was taken. */
  serves(): Promise<boolean>;
  stop(): Promise<void>;
}

function start(name: string, commands: string, cwd: string): Running {
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: cwd, LANG: "C" };
  // the last command takes the shell's place, so that a signal reaches it
  const text = commands.replace(/^(?=render-handoff gateway serve)/m, "exec ");
  const child = spawn("bash", ["-euc", text], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += String(data)));
  return {
    succeeded: async () => {
      await closed;
      expect(child.exitCode, `${name}: ${said}`).toBe(0);
    },
    serves: async () => {
      while (!said.includes("serving")) {
        if (ended(child) && said.includes("GATEWAY_PORT_TAKEN")) return false;
        if (ended(child)) throw new Error(`${name} ended: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return true;
    },
    stop: async () => {
      if (!ended(child)) child.kill("SIGTERM");
      await closed;
      expect(child.exitCode, "a stop that was asked for is no failure").toBe(0);
    },
  };
}

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
