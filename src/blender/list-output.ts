import { constants, type Stats } from "node:fs";
import { type FileHandle, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { frameName } from "../../contracts/names.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { harmless } from "../core/escape.ts";

export interface ListedFrame {
  readonly frame: number;
  readonly name: string;
  readonly bytes: number;
  /** Reads the whole frame; throws RENDER_FRAME_NOT_REGULAR when it is no longer the file that was listed. */
  read(): Promise<Buffer>;
}

/**
 * Lists a render's output after its processes are proven gone: exactly the expected names, each a regular file
 * of this user with one link, not empty and not over `frameBytes`. Throws RENDER_FRAME_MISSING,
 * RENDER_FRAME_UNEXPECTED, RENDER_FRAME_NOT_REGULAR or RENDER_OUTPUT_TOO_LARGE; names in `details`.
 */
export async function listOutput(options: {
  readonly folder: string;
  readonly frames: readonly number[];
  readonly frameBytes: number;
}): Promise<ListedFrame[]> {
  const present = await namesIn(options.folder, options.frames.length + MOST_UNEXPECTED);
  const names = new Map(options.frames.map((frame) => [frameName(frame), frame]));
  refuse(
    "RENDER_FRAME_UNEXPECTED",
    [...present].filter((name) => !names.has(name)),
  );
  refuse(
    "RENDER_FRAME_MISSING",
    [...names.keys()].filter((name) => !present.has(name)),
  );
  const listed: ListedFrame[] = [];
  for (const [name, frame] of names) {
    const path = join(options.folder, name);
    const stats = await withFile(path, (handle) => handle.stat());
    // Blender reserves a name with an empty file before it renders: that frame was never written.
    if (stats.size === 0) refuse("RENDER_FRAME_MISSING", [name]);
    if (stats.size > options.frameBytes) refuse("RENDER_OUTPUT_TOO_LARGE", [`${name}: ${stats.size} bytes`]);
    listed.push({ frame, name, bytes: stats.size, read: () => readListed(path, stats) });
  }
  return listed;
}

/** A scene's scripts may write names without end: one more than can be told of is enough to refuse. */
const MOST_UNEXPECTED = 20;

async function namesIn(folder: string, most: number): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { name } of await opendir(folder)) if (names.add(name).size >= most) break;
  return names;
}

type OutputCode =
  | "RENDER_FRAME_UNEXPECTED"
  | "RENDER_FRAME_MISSING"
  | "RENDER_FRAME_NOT_REGULAR"
  | "RENDER_OUTPUT_TOO_LARGE";

function refuse(code: OutputCode, names: readonly string[]): void {
  const details = names.slice(0, 20).map((name) => harmless(name));
  if (names.length > 0) throw new HandoffError(code, `${details.slice(0, 3).join(", ")}.`, { details });
}

/** Opens without following a link and without waiting on a FIFO, and checks what was opened, not its name. */
export async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    throw new HandoffError("RENDER_FRAME_NOT_REGULAR", `${path}: ${systemCode(thrown) ?? "unreadable"}.`, {
      cause: thrown,
    });
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.nlink !== 1 || stats.uid !== (process.geteuid?.() ?? stats.uid))
      throw new HandoffError("RENDER_FRAME_NOT_REGULAR", `${path}.`);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

const readListed = (path: string, listed: Stats): Promise<Buffer> =>
  withFile(path, async (handle) => {
    const stats = await handle.stat();
    const bytes = same(stats, listed) ? await readExactly(handle, listed.size) : null;
    if (bytes === null)
      throw new HandoffError("RENDER_FRAME_NOT_REGULAR", `${path} changed after it was listed.`);
    return bytes;
  });

const same = (now: Stats, then: Stats): boolean =>
  now.dev === then.dev && now.ino === then.ino && now.size === then.size && now.mtimeMs === then.mtimeMs;

export async function readExactly(handle: FileHandle, size: number): Promise<Buffer | null> {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return bytes;
}
