import { basename, extname } from "node:path";
import { JobId } from "../../contracts/names.ts";
import type { Clock } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";

/** The id that was asked for, or one of the scene's name and eight random characters. Throws USAGE_ARGUMENT. */
export function nameJob(asked: string | null, scene: string, clock: Pick<Clock, "uuid">): string {
  if (asked !== null) {
    if (!JobId.safeParse(asked).success)
      throw new HandoffError(
        "USAGE_ARGUMENT",
        "A job id is 1 to 64 of a-z 0-9 . _ - and begins with a-z or 0-9.",
      );
    return asked;
  }
  const plain = basename(scene, extname(scene))
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${plain === "" ? "job" : plain}-${clock.uuid().slice(0, 8)}`;
}
