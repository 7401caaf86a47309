import { join, resolve } from "node:path";
import { TOKEN_FILE } from "../../gateway/data-folder.ts";
import { type SubmitOptions, submitScene } from "../../submit/submit-scene.ts";
import { withClient } from "../administer.ts";
import { readToken } from "../read-token.ts";
import { type Cast, registerCast } from "./cast.ts";
import { makeScene } from "./make-scene.ts";
import type { Anchor, Play, Timer } from "./play.ts";

const SCENES_OWN: SubmitOptions["settings"] = {
  engine: null,
  size: null,
  samples: null,
  seed: null,
  device: "CPU",
  output: { format: "PNG", color_mode: "RGBA", bit_depth: 8 },
  allowScripts: false,
  extra: [],
};

/** Makes a scene unless one was given, registers the people and submits. */
export async function submitDemo<Name extends string>(
  play: Play,
  names: readonly Name[],
  { timed }: Timer,
): Promise<{ cast: Cast<Name>; anchor: Anchor }> {
  const { flags, context, stage, gateway } = play;
  const scene =
    flags.scene === undefined
      ? await timed("scene", "making a small animated scene with Blender", async () => {
          const path = join(stage.scene, "demo.blend");
          await makeScene(flags, path, context);
          return path;
        })
      : resolve(flags.scene);
  const say = `submitting frames ${flags.frames.first}-${flags.frames.last} to ${gateway.url}`;
  return await timed("submit", say, () => submitted(play, names, scene));
}

async function submitted<Name extends string>(
  { flags, context, stage, gateway }: Play,
  names: readonly Name[],
  scene: string,
): Promise<{ cast: Cast<Name>; anchor: Anchor }> {
  const token = await readToken(join(stage.data, TOKEN_FILE));
  return await withClient({ url: gateway.url, token, allowInsecure: false, context }, async (client) => {
    const cast = await registerCast(client, names, stage.tokens);
    const { job, jobSha256 } = await submitScene({
      client,
      scene,
      sceneRoot: null,
      frames: flags.frames,
      jobId: null,
      blender: flags.blender ?? null,
      versionsFolder: null,
      workFolder: stage.run,
      settings: SCENES_OWN,
      policy: null,
      limits: {},
      allowMissing: false,
      trustScenes: flags.trustScenes === true,
      signal: context.signal,
      clock: context.clock,
    });
    return { cast, anchor: { jobId: job.job_id, jobSha256 } };
  });
}
