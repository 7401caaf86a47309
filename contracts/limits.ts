/** Caps and times that are no part of a job. Bytes, milliseconds or counts as the names say. */
export const LIMITS = {
  jsonDepth: 64,
  /** A job, a request body, any JSON document of ours. */
  jsonBytes: 8 * 1024 * 1024,
  jobBytes: 4 * 1024 * 1024,
  submitBytes: 8 * 1024 * 1024,
  smallBodyBytes: 64 * 1024,
  /** Transport attempts per logical operation. */
  transportAttempts: 3,
  connectMs: 8_000,
  headersMs: 8_000,
  idleMs: 8_000,
  /** Longest Retry-After that is waited for; anything longer holds the host. */
  retryAfterMaxSeconds: 30 * 24 * 3_600,
  /** Longest wait for the run lock of a state folder. */
  busyWaitMs: 250,
  killGraceMs: 2_000,
  /** Blender's own output kept for a result. */
  logLineBytes: 8_192,
  logLines: 40,
  iccProfileBytes: 1024 * 1024,
  zipMembers: 10_001,
  zipRatio: 1_100,
} as const;
