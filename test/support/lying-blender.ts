import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BlenderIdentity, identifyBlender } from "../../src/blender/identify.ts";
import { systemClock } from "../../src/core/clock.ts";
import { runChild } from "../../src/render-child/run.ts";
import { childOptions, putJob } from "./child.ts";
import { startGateway } from "./gateway.ts";
import { temporaryFolder } from "./temporary.ts";

export interface Lie {
  /** Python that changes `args`, the arguments that the child gave; `out` is the output folder. */
  readonly before?: string;
  /** Python run inside Blender, after the enforcing script. */
  readonly inside?: string;
  /** Python that changes what is in `out` when Blender has ended. */
  readonly after?: string;
}

/** bwrap shows a Blender its own folder alone; the wrapper must reach another program. */
export const IN_REACH = { policy: { allow_containment: ["process-group" as const] } };

/** A Blender that does what it is told and then something else: a wrapper of ten lines around `program`. */
export async function lyingBlender(program: string, lie: Lie): Promise<BlenderIdentity> {
  const path = join(await temporaryFolder(), "blender");
  const lines = [
    "#!/usr/bin/python3",
    "import json, os, shutil, subprocess, sys",
    'if "--version" in sys.argv: sys.exit(print("Blender 3.4.1"))',
    "args = sys.argv[1:]",
    'out = os.path.dirname(args[args.index("--render-output") + 1])',
    "def put(option, *more): args[args.index(option) : args.index(option)] = more",
    "def swap(option, value): args[args.index(option) + 1] = value",
    lie.inside === undefined ? "" : `put("--render-output", "--python-expr", ${JSON.stringify(lie.inside)})`,
    lie.before ?? "",
    `code = subprocess.run([${JSON.stringify(program)}, *args]).returncode`,
    'frame = lambda number: os.path.join(out, f"frame_{number:04d}.png")',
    lie.after ?? "",
    "sys.exit(code)",
  ];
  await writeFile(path, `${lines.join("\n")}\n`);
  await chmod(path, 0o755);
  return identifyBlender({ path, cacheFolder: null, clock: systemClock });
}

/** What a whole run makes of it: its result, and whether anything was handed in. */
export async function runOfLie(
  program: string,
  lie: Lie,
  putScene: (
    blender: BlenderIdentity,
    gateway: Awaited<ReturnType<typeof startGateway>>,
  ) => Promise<unknown> = (blender, gateway) => putJob(gateway, blender, IN_REACH),
) {
  const gateway = await startGateway();
  const blender = await lyingBlender(program, lie);
  await putScene(blender, gateway);
  const worker = await gateway.registerWorker();
  const result = await runChild(await childOptions(gateway, worker, { blender: blender.path }));
  const task = (await gateway.call("/q/task/shot.a")).json();
  return { result, told: result.details.join("\n"), state: task["state"] };
}
