import { reject } from "./entry.ts";

/** Codes of one PNG frame. */
export const PNG_CODES = {
  PNG_SIGNATURE: reject(
    "slot",
    "The file does not begin with the PNG signature.",
    "The slot must be rendered again.",
  ),
} as const;
