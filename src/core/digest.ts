import { createHash, type Hash, hash, timingSafeEqual } from "node:crypto";
import type { Bytes } from "./bytes.ts";

/** Lower-case hex SHA-256 of bytes, or of a string's UTF-8. */
export const sha256 = (data: Uint8Array | string): string => hash("sha256", data, "hex");

/** The same of bytes that come in pieces. */
export function sha256Of(bytes: Bytes): string {
  const running = startSha256();
  for (const piece of bytes.pieces(0, bytes.size)) running.update(piece);
  return running.digest("hex");
}

/** A running SHA-256; `digest("hex")` ends it. */
export const startSha256 = (): Hash => createHash("sha256");

/** Compares two hex digests or tokens without telling by time where they differ. */
export function equalSecrets(left: string, right: string): boolean {
  const a = createHash("sha256").update(left).digest();
  const b = createHash("sha256").update(right).digest();
  return timingSafeEqual(a, b);
}
