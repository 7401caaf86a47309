import { reject } from "./entry.ts";

/** Codes of the bundle's canonical ZIP layout. */
export const ZIP_CODES = {
  ZIP_NOT_A_ZIP: reject("slot", "The bundle is no ZIP archive.", "The slot must be rendered again."),
} as const;
