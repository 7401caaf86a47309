import type { KeptKeyword } from "../../../contracts/documents/frame-metadata.ts";

/** What of a frame's text is kept, and where. */
export interface MetadataFlags {
  keepMetadata?: readonly KeptKeyword[];
  metadataFolder?: string;
}
