/** RFC 9530 digest of a blob's bytes. */
export const digestHeader = (sha256: string): string =>
  `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;

/** Headers that every answer about a blob has; blobs never change. */
export const blobHeaders = (sha256: string): Record<string, string> => ({
  etag: `"${sha256}"`,
  "accept-ranges": "bytes",
  "cache-control": "private, immutable, max-age=31536000",
});
