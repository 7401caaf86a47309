import { CATALOGUE } from "../../contracts/catalogue.ts";
import { identifyBlender } from "../blender/identify.ts";
import type { Clock } from "../core/clock.ts";
import { asHandoffError } from "../core/error.ts";
import type { Line } from "./line.ts";

export interface BlenderProbe {
  /** The Blender to look at; null looks for one on `searchPath`. */
  readonly blender: string | null;
  readonly searchPath: string | undefined;
  readonly clock: Clock;
}

/** Which Blender would render here; its digest is what a job pins. */
export async function examineBlender(options: BlenderProbe): Promise<Line> {
  const searchPath = options.searchPath === undefined ? {} : { searchPath: options.searchPath };
  try {
    const found = await identifyBlender({
      path: options.blender,
      cacheFolder: null,
      clock: options.clock,
      ...searchPath,
    });
    return {
      subject: "Blender",
      state: "ok",
      detail: `${found.version} ${found.path} sha256 ${found.sha256}`,
      action: null,
    };
  } catch (thrown) {
    const error = asHandoffError(thrown);
    return {
      subject: "Blender",
      state: "fault",
      detail: `${error.code}: ${error.message}`,
      action: CATALOGUE[error.code].action,
    };
  }
}
