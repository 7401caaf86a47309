/** What a task without an answer is called: the machine's fault, never one of the bytes. */
export const UNDONE = {
  timeout: "JOIN_DECODE_TIMEOUT",
  memory: "JOIN_DECODE_MEMORY",
  crashed: "JOIN_DECODE_CRASHED",
} as const;
