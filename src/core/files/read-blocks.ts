import { open } from "node:fs/promises";

const BLOCK_BYTES = 512 * 1024;

/**
 * A file's bytes in order, in one buffer that is used again: a block is good until the next is asked for.
 * Rejects with the system's error. (A stream makes a new buffer for each chunk, and tens of megabytes of them
 * wait for the collector.)
 */
export async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path, "r");
  try {
    const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, BLOCK_BYTES, null);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
