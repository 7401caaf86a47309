/** Sizes of ZIP's records without their variable parts, in bytes, and what a bundle can be at most. */
export const ZIP_LAYOUT = {
  localHeaderBytes: 30,
  centralHeaderBytes: 46,
  endRecordBytes: 22,
  /** 2^32 - 1 and above would need ZIP64. */
  maxBytes: 4_294_967_294,
} as const;
