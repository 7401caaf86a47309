import { join } from "node:path";
import { HandoffError } from "../core/error.ts";
import { readExactly, withFile } from "./list-output.ts";

/** One file of the output while Blender still runs, opened as carefully as later; nothing is concluded from it. */
export const readCappedFrame = (options: {
  readonly folder: string;
  readonly name: string;
  readonly frameBytes: number;
}): Promise<Buffer> =>
  withFile(join(options.folder, options.name), async (handle) => {
    const { size } = await handle.stat();
    const bytes = size > options.frameBytes ? null : await readExactly(handle, size);
    if (bytes === null) throw new HandoffError("RENDER_FRAME_NOT_REGULAR", `${options.name}.`);
    return bytes;
  });
