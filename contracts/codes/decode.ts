import { reject, undecided } from "./entry.ts";

/** Of decoder threads, and of files that are inspected by themselves. */
export const DECODE_CODES = {
  JOIN_DECODE_TIMEOUT: undecided(
    3,
    "A frame could not be decoded within its deadline on this machine.",
    "Run again on a machine with less load.",
  ),
  JOIN_DECODE_CRASHED: undecided(
    4,
    "The decoder ended before it had a verdict.",
    "Report it with the frame.",
  ),
  JOIN_DECODE_MEMORY: undecided(
    4,
    "The decoder ran out of its memory limit.",
    "Run on a machine with more memory.",
  ),
  JOIN_KIND_UNKNOWN: reject(
    "none",
    "The file is neither a PNG nor a ZIP archive.",
    "Give frames or bundles.",
  ),
  JOIN_FILE_UNREADABLE: undecided(
    3,
    "The file to be inspected is absent, unreadable or no regular file.",
    "Check its path and who may read it.",
  ),
} as const;
