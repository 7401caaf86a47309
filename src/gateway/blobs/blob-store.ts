import type { Readable } from "node:stream";

export interface BlobName {
  readonly sha256: string;
  readonly bytes: number;
}

/** Bytes that were received and checked, but are not visible yet. */
export interface StagedBlob {
  /** Makes the bytes visible and durable, those too that were there before; what was damaged is replaced. */
  commit(): Promise<void>;
  /** Forgets the bytes; harmless after commit. */
  discard(): Promise<void>;
}

/** Content-addressed bytes. Failures of the disk are GATEWAY_STORE_FAILED. */
export interface BlobReader {
  /** Whether bytes of this size are there under the digest; they are not read. */
  has(name: BlobName): Promise<boolean>;
  /** Everything that is there under a digest beyond `after`, in order, with the second of its last change. */
  list(after: string): AsyncIterable<BlobName & { readonly changedAt: number }>;
  /** Bytes from `first` to `last`, both included. */
  read(sha256: string, range: { first: number; last: number }): Promise<Readable>;
  close(): Promise<void>;
}

/** Bytes come in two phases: stage, then commit. */
export interface BlobStore extends BlobReader {
  /** Takes the whole source; throws blob_digest_mismatch or blob_length_mismatch and then keeps nothing. */
  stage(source: AsyncIterable<Uint8Array>, name: BlobName): Promise<StagedBlob>;
  /** Harmless when they are not there. */
  remove(sha256: string): Promise<void>;
}
