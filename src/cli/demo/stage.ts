import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CliContext } from "../context.ts";

/** Folders of one demo: everything but the output is removed when it ends. */
export interface Stage {
  readonly scene: string;
  readonly run: string;
  readonly data: string;
  readonly tokens: string;
  state(slot: string): string;
  clear(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const root = await mkdtemp(join(tmpdir(), "render-handoff-demo-"));
  const folder = async (name: string): Promise<string> => {
    await mkdir(join(root, name), { mode: 0o700 });
    return join(root, name);
  };
  return {
    scene: await folder("scene"),
    run: await folder("run"),
    data: join(root, "gateway"),
    tokens: await folder("tokens"),
    state: (slot) => join(root, `state-${slot}`),
    clear: () => rm(root, { recursive: true, force: true }),
  };
}

/** The output folder when none was named: the first that does not exist yet. */
export function freeOutput(range: { first: number; last: number }, context: CliContext): string {
  for (let count = 1; ; count += 1) {
    const path = join(context.cwd, "render-handoff-demo", `${range.first}-${range.last}-run-${count}`);
    if (!existsSync(path)) return path;
  }
}
