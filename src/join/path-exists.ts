import { lstat } from "node:fs/promises";
import { HandoffError, systemCode } from "../core/error.ts";

/** Whether anything has this name, be it a dangling link. Throws `code` where that cannot be seen. */
export async function exists(
  path: string,
  code: "JOIN_COLLECT_FAILED" | "JOIN_ASSEMBLE_FAILED",
): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT" || systemCode(thrown) === "ENOTDIR") return false;
    throw new HandoffError(code, path, { cause: thrown });
  }
}
