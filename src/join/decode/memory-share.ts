/** A frame's rows, its file and what the evidence takes beside. */
const SHARE = 0.75;

/** What one of so many threads may take of the memory that this machine has now. */
export const memoryShare = (threads: number): number =>
  Math.floor((process.availableMemory() * SHARE) / threads);
