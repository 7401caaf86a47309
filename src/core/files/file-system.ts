import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** File systems whose locks and renames cannot be trusted, by their magic number. */
const REMOTE = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x65735546, "FUSE"],
  [0x01021997, "9p"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
]);

export interface FileSystem {
  /** Name of a file system that is not local; null for a local one. */
  readonly remote: string | null;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The file system that holds a folder or, where it is not there yet, its nearest parent. */
export function fileSystemOf(folder: string): FileSystem {
  try {
    const { type, bavail, blocks, bsize } = statfsSync(folder);
    return { remote: REMOTE.get(type) ?? null, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (thrown) {
    const parent = dirname(folder);
    const absent = thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
    if (!absent || parent === folder) throw thrown;
    return fileSystemOf(parent);
  }
}
