import { open } from "node:fs/promises";

const BLOCK_BYTES = 512 * 1024;

/** Memory for readBlocks, for whoever reads many files one after another. */
export const blockMemory = (): Buffer => Buffer.allocUnsafeSlow(BLOCK_BYTES);

/**
 * A file's bytes in order, in one buffer that is used again: a block is good until the next is asked for.
 * Rejects with the system's error. (A stream makes a new buffer for each chunk, and tens of megabytes of them
 * wait for the collector.)
 */
export async function* readBlocks(path: string, block = blockMemory()): AsyncGenerator<Buffer> {
  const handle = await open(path, "r");
  try {
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, block.length, null);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
