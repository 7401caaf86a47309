import { execFileSync } from "node:child_process";
import { constants, openSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fixtureBlender } from "./child.ts";

/** A tiny Blender in a folder of its own that says when it starts and where it stops, whatever contains it. */
export interface ToldBlender {
  readonly path: string;
  /** How often one was started to render. */
  starts(): number;
  /** Resolves when one has stopped where it was told to. */
  readonly stopped: Promise<void>;
  /** Goes on where it has stopped, and stops nowhere from now on. */
  goOn(): Promise<void>;
  close(): void;
}

/**
 * Lays the program out as an official archive, which every containment shows whole and read-only; a pipe is
 * what can be written to all the same.
 */
export async function toldBlender(folder: string, hold: string): Promise<ToldBlender> {
  await mkdir(join(folder, "3.4/scripts"), { recursive: true });
  const path = join(folder, "blender");
  await copyFile(fixtureBlender("stops-midway"), path);
  await copyFile(fixtureBlender("honest"), join(folder, "honest"));
  const holdAt = (point: string): Promise<void> => writeFile(join(folder, "hold"), point);
  await holdAt(hold);
  execFileSync("mkfifo", [join(folder, "told")]);
  const fd = openSync(join(folder, "told"), constants.O_RDWR | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false });
  let starts = 0;
  const stopped = new Promise<void>((resolve) => {
    createInterface({ input: pipe }).on("line", (line) => {
      if (line === "start") starts += 1;
      else resolve();
    });
  });
  return { path, starts: () => starts, stopped, goOn: () => holdAt(""), close: () => pipe.destroy() };
}
