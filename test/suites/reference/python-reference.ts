import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { memoryFolder } from "./memory-folder.ts";

/** A task as either side stores it. */
export interface Row {
  readonly state: string;
  readonly worker: string | null;
  readonly fence: number;
  readonly expires: number | null;
  readonly receipts: number;
}
/** How an operation ended: `ok` or a code, what it gave, and the task after it. */
export interface Played {
  readonly code: string;
  readonly value: unknown;
  readonly row: Row | null;
}
export type Operation =
  | { readonly op: "enqueue"; readonly task: string; readonly payload: unknown }
  | {
      readonly op: "claim";
      readonly task: string;
      readonly worker: string;
      readonly now: number;
      readonly ttl: number;
    }
  | {
      readonly op: "submit";
      readonly task: string;
      readonly raw: Buffer;
      readonly key: string;
      readonly now: number;
    };

export interface Reference {
  play(operation: Operation): Promise<Played>;
  restart(): Promise<void>;
}

const SEEDS = "../shared/seeds";

/** The text of the seed whose name begins so; null where the seeds are not on this machine. */
export function seedText(prefix: string): string | null {
  try {
    const name = readdirSync(SEEDS).find((file) => file.startsWith(prefix));
    return name === undefined ? null : readFileSync(join(SEEDS, name), "utf8");
  } catch {
    return null;
  }
}

/** The program of the reference, as the seed records it. */
function programOf(seed: string): string {
  const { objects } = JSON.parse(seed);
  for (const { payload_json } of objects) {
    const program: unknown = JSON.parse(payload_json).files?.["sqlite_reference.py"];
    if (typeof program === "string") return program;
  }
  throw new Error("the seed holds no sqlite_reference.py");
}

/** The reference as one long-lived process over a database in a folder of this test. */
export async function startReference(seed: string): Promise<Reference> {
  const folder = await memoryFolder();
  await writeFile(join(folder, "sqlite_reference.py"), programOf(seed));
  const driver = join(import.meta.dirname, "driver.py");
  const child = spawn("python3", ["-B", driver, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  onTestFinished(async () => {
    const closed = once(child, "close");
    child.stdin.end();
    await closed;
  });
  const send = async (message: object): Promise<Played> => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const line = await lines.next();
    if (line.done === true) throw new Error("the reference ended");
    return JSON.parse(line.value);
  };
  const open = async (): Promise<void> => {
    await send({ op: "open", path: join(folder, "reference.sqlite") });
  };
  await open();
  return {
    restart: open,
    play: (operation) =>
      send(operation.op === "submit" ? { ...operation, raw: operation.raw.toString("base64") } : operation),
  };
}
