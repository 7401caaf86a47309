import { randomBytes } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../core/error.ts";
import { fileSystemOf } from "../../core/files/file-system.ts";
import type { Logger } from "../../core/logger.ts";
import { RESERVE_FILE } from "../data-folder.ts";
import { storeFailed } from "../store-failed.ts";

/**
 * Removing blobs begins with writing. SQLite's log takes up to 4 MiB, and the database as much when the log is written
 * back into it.
 */
export const RESERVE_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Of a small disk it takes this part at most. */
const PART = 8;

/** Room on the disk of the data folder that nobody else can take: a file that is removed when room is needed. */
export interface Reserve {
  /** Gives it up where the disk has less than that left: whoever starts has to write. */
  makeRoom(): Promise<void>;
  /** Gives it up for as long as the work runs, which is to make room. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Takes the room where it is free; else that is logged, and the next time may find it. */
  fill(): Promise<void>;
}

export interface ReserveOptions {
  readonly dataFolder: string;
  readonly bytes: number;
  readonly logger: Logger;
}

export function openReserve({ dataFolder, bytes, logger }: ReserveOptions): Reserve {
  const path = join(dataFolder, RESERVE_FILE);
  const { totalBytes } = fileSystemOf(dataFolder);
  const size = Math.min(bytes, Math.floor(totalBytes / PART));
  const freeBytes = (): number => fileSystemOf(dataFolder).freeBytes;
  const giveUp = async (): Promise<void> => {
    await rm(path, { force: true }).catch((thrown: unknown) => {
      throw storeFailed(thrown);
    });
  };
  const fill = async (): Promise<void> => {
    if ((await sizeOf(path)) === size) return;
    // not tried where it cannot be: for as long as it is tried there is no room for anybody
    const failed = freeBytes() < size ? "ENOSPC" : await write(path, size).then(() => null, nameOf);
    if (failed === null) return;
    await giveUp().catch(() => {});
    logger.log("warning", "reserve_missing", { bytes: size, detail: failed });
  };
  return {
    makeRoom: async () => {
      if (freeBytes() < size) await giveUp();
    },
    lend: async (work) => {
      await giveUp();
      try {
        return await work();
      } finally {
        await fill();
      }
    },
    fill,
  };
}

const nameOf = (thrown: unknown): string => systemCode(thrown) ?? "unknown";

/** 0 where there is none. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    (found) => found.size,
    () => 0,
  );

/** Bytes that no file system can keep in less room. */
async function write(path: string, size: number): Promise<void> {
  const handle = await open(path, "w", 0o600);
  try {
    const piece = randomBytes(PIECE_BYTES);
    for (let left = size; left > 0; left -= PIECE_BYTES)
      await handle.writeFile(left < PIECE_BYTES ? piece.subarray(0, left) : piece);
  } finally {
    await handle.close();
  }
}
