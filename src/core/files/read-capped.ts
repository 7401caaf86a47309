import { constants } from "node:fs";
import { open } from "node:fs/promises";

export type CappedRead =
  | { readonly ok: true; readonly bytes: Buffer }
  | {
      readonly ok: false;
      readonly why: "absent" | "unreadable" | "not_regular" | "too_large";
      readonly detail: string;
    };

/** Reads a regular file of at most `maxBytes` without following a link and without blocking on a FIFO. */
export async function readCapped(path: string, maxBytes: number): Promise<CappedRead> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: false, why: "absent", detail: code };
    if (code === "ELOOP") return { ok: false, why: "not_regular", detail: "symbolic link" };
    return { ok: false, why: "unreadable", detail: code };
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return { ok: false, why: "not_regular", detail: "no regular file" };
    if (stat.size > maxBytes) return { ok: false, why: "too_large", detail: `${stat.size} bytes` };
    const bytes = await handle.readFile();
    if (bytes.byteLength > maxBytes)
      return { ok: false, why: "too_large", detail: `${bytes.byteLength} bytes` };
    return { ok: true, bytes };
  } catch (thrown) {
    return {
      ok: false,
      why: "unreadable",
      detail: thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown",
    };
  } finally {
    await handle.close();
  }
}
