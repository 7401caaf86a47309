import { identifyBlender } from "../../../src/blender/identify.ts";
import { renderFrames } from "../../../src/blender/render.ts";
import { systemClock } from "../../../src/core/clock.ts";

/** Renders as its own process, so that a test can SIGKILL the process that owns a Blender. */
const [path, options] = process.argv.slice(2);
const identity = await identifyBlender({ path: path ?? "", cacheFolder: null, clock: systemClock });
await renderFrames({
  ...JSON.parse(options ?? "{}"),
  identity,
  signal: new AbortController().signal,
  clock: systemClock,
  onProgress: () => console.log("rendering"),
});
