/** Smaller buffers may share their memory with others (Node's pool), and gain nothing. */
const LEAST_BYTES = 128 * 1024;

/**
 * Gives the memory of a large buffer back at once; the buffer is empty afterwards. Only for buffers that the
 * caller made and that nobody else holds. Left to the collector, each frame takes fresh pages from the
 * system, and inflating takes twice as long.
 */
export function releaseMemory(bytes: Uint8Array): void {
  const memory = bytes.buffer;
  if (memory instanceof ArrayBuffer && memory.byteLength >= LEAST_BYTES) memory.transfer(0);
}
