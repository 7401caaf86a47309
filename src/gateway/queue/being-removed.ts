import { HandoffError } from "../../core/error.ts";

/** Told as unavailable: the blob can be put again as soon as its removal is over. */
export const beingRemoved = (sha256: string): HandoffError =>
  new HandoffError("GATEWAY_STORE_FAILED", `Blob ${sha256} is being removed.`);
