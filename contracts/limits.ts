/** Caps and times that are no part of a job. Bytes, milliseconds or counts as the names say. */
export const LIMITS = {
  jsonDepth: 64,
  /** A job, a request body, any JSON document of ours. */
  jsonBytes: 8 * 1024 * 1024,
  jobBytes: 4 * 1024 * 1024,
  submitBytes: 4 * 1024 * 1024,
  smallBodyBytes: 64 * 1024,
  /**
   * JSON values of a request's body, those inside others too, and different keys: each costs time, however few
   * its bytes. A slot result of 10,000 frames has 3 MiB, 120,000 values and 25 keys.
   */
  bodyValues: 150_000,
  bodyKeys: 2_000,
  /** Transport attempts per logical operation. */
  transportAttempts: 3,
  connectMs: 8_000,
  headersMs: 8_000,
  idleMs: 8_000,
  /** A whole exchange of small bodies; a transfer gets the time that its bytes need at the slowest rate on top. */
  exchangeMs: 30_000,
  slowestBytesPerSecond: 65_536,
  /** Longest Retry-After that is waited for; anything longer holds the host. */
  retryAfterMaxSeconds: 30 * 24 * 3_600,
  /** Scenes that a worker keeps between runs; the ones not used for longest go first. */
  sceneCacheBytes: 20 * 1024 ** 3,
  sceneCacheSeconds: 30 * 24 * 3_600,
  /** Longest wait for the run lock of a state folder. */
  busyWaitMs: 250,
  killGraceMs: 2_000,
  /** Blender's own output kept for a result. */
  logLineBytes: 8_192,
  logLines: 40,
  /** The small picture of a frame that a worker may show while it renders. */
  previewBytes: 64 * 1024,
  previewSide: 320,
  iccProfileBytes: 1024 * 1024,
  /** What a blob counts for under bundle_bytes at least: however few its bytes, its file costs a place on the disk. */
  blobRoomBytes: 4_096,
  /** Width and height of a frame that no job may exceed. */
  frameSide: 16_384,
  /** More than a frame of that size needs when it is written in pieces of 8 KiB. */
  pngChunks: 524_288,
  /** Deflate cannot make more output bytes of one input byte (258 bytes of two bits). */
  inflateRatio: 1_032,
  /** Edges of one answer of the provenance graph. */
  graphEdges: 1_000,
  zipMembers: 10_001,
  /** The central directory: that many members with plain names need a sixth of it. */
  zipDirectoryBytes: 4 * 1024 * 1024,
} as const;
