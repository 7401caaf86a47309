import { fileSystemOf } from "../core/files/file-system.ts";
import { faultOf, type Line } from "./line.ts";

/** A scene twice and a slot's frames three times: less than this is soon too little. */
const LITTLE_BYTES = 2 * 1024 ** 3;

/** Room for the state folder, and whether locks and renames can be trusted there. */
export function examineDisk(stateFolder: string): Line[] {
  try {
    const { remote, freeBytes } = fileSystemOf(stateFolder);
    const little = freeBytes < LITTLE_BYTES;
    return [
      {
        subject: "disk",
        state: little ? "warning" : "ok",
        detail: `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free for ${stateFolder}`,
        action: little ? "Free some space, or name another --state." : null,
      },
      {
        subject: "file system",
        state: remote === null ? "ok" : "fault",
        detail: remote ?? "local",
        action: remote === null ? null : "Put the state folder on a local disk with --state.",
      },
    ];
  } catch (thrown) {
    return [faultOf("disk", thrown)];
  }
}
