import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { systemCode } from "../system-code.ts";

export type CappedRead = { readonly ok: true; readonly bytes: Buffer } | CappedRefusal;

interface CappedRefusal {
  readonly ok: false;
  readonly why: "absent" | "unreadable" | "not_regular" | "too_large";
  readonly detail: string;
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a regular file of at most `maxBytes` without following a link and without blocking on a FIFO. */
export async function readCapped(path: string, maxBytes: number): Promise<CappedRead> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, FLAGS);
  } catch (thrown) {
    return notOpened(thrown);
  }
  try {
    return refusalOf(await handle.stat(), maxBytes) ?? capped(await handle.readFile(), maxBytes);
  } catch (thrown) {
    return unreadable(thrown);
  } finally {
    await handle.close();
  }
}

/** The same at once, for many small files of a local folder: each wait would take longer than the reading. */
export function readCappedSync(path: string, maxBytes: number): CappedRead {
  let descriptor: number;
  try {
    descriptor = openSync(path, FLAGS);
  } catch (thrown) {
    return notOpened(thrown);
  }
  try {
    return refusalOf(fstatSync(descriptor), maxBytes) ?? capped(readFileSync(descriptor), maxBytes);
  } catch (thrown) {
    return unreadable(thrown);
  } finally {
    closeSync(descriptor);
  }
}

function notOpened(thrown: unknown): CappedRefusal {
  const detail = systemCode(thrown) ?? "unknown";
  if (detail === "ENOENT" || detail === "ENOTDIR") return { ok: false, why: "absent", detail };
  if (detail === "ELOOP") return { ok: false, why: "not_regular", detail: "symbolic link" };
  return { ok: false, why: "unreadable", detail };
}

function refusalOf(stat: Stats, maxBytes: number): CappedRefusal | null {
  if (!stat.isFile()) return { ok: false, why: "not_regular", detail: "no regular file" };
  return stat.size > maxBytes ? tooLarge(stat.size) : null;
}

/** A file may have grown since it was asked for its size. */
const capped = (bytes: Buffer, maxBytes: number): CappedRead =>
  bytes.byteLength > maxBytes ? tooLarge(bytes.byteLength) : { ok: true, bytes };

const tooLarge = (bytes: number): CappedRefusal => ({
  ok: false,
  why: "too_large",
  detail: `${bytes} bytes`,
});

const unreadable = (thrown: unknown): CappedRefusal => ({
  ok: false,
  why: "unreadable",
  detail: systemCode(thrown) ?? "unknown",
});
