import { reject, warning } from "./entry.ts";

const AGAIN = "The slot must be rendered again.";

/** Codes of one PNG frame, in the order of the rules that they belong to (docs/FRAMES-AND-BUNDLES.md). */
export const PNG_CODES = {
  PNG_SIGNATURE: reject("slot", "The file does not begin with the PNG signature.", AGAIN),
  PNG_CHUNK_LENGTH: reject("slot", "A chunk states a length of 2^31 or more.", AGAIN),
  PNG_TRUNCATED: reject("slot", "The file ends inside a chunk.", AGAIN),
  PNG_CHUNK_TYPE: reject("slot", "A chunk's type is not four letters with the reserved bit at 0.", AGAIN),
  PNG_CHUNK_COUNT: reject("slot", "There are more chunks than any frame needs.", AGAIN),
  PNG_CRC: reject("slot", "A chunk's CRC is wrong.", AGAIN),

  PNG_IHDR_MISSING: reject("slot", "The first chunk is not IHDR.", AGAIN),
  PNG_IHDR_INVALID: reject(
    "slot",
    "IHDR states a size, depth, colour type or method that PNG does not know.",
    AGAIN,
  ),
  PNG_FORMAT: reject(
    "slot",
    "The PNG format is none of those handed over: grey, RGB or RGBA at 8 or 16 bit, not interlaced.",
    "Render with one of those formats.",
  ),
  PNG_TOO_LARGE: reject(
    "slot",
    "The frame is wider or higher than any job may ask for.",
    "Render at a smaller size.",
  ),
  PNG_SIZE_MISMATCH: reject("slot", "Width and height are not those of the job.", AGAIN),
  PNG_DEPTH_MISMATCH: reject("slot", "The bit depth is not that of the job.", AGAIN),
  PNG_COLOR_MISMATCH: reject("slot", "The colour type is not that of the job.", AGAIN),

  PNG_CHUNK_DUPLICATE: reject("slot", "A chunk that may stand once is there again.", AGAIN),
  PNG_CHUNK_ORDER: reject("slot", "A chunk stands after the image data and belongs before it.", AGAIN),
  PNG_CHUNK_INVALID: reject("slot", "The content of a chunk that is kept does not follow PNG.", AGAIN),
  PNG_ICC_PROFILE: reject("slot", "The ICC profile does not inflate within its cap.", AGAIN),
  PNG_CRITICAL_UNKNOWN: reject("slot", "There is a critical chunk that PNG does not know.", AGAIN),
  PNG_PALETTE: reject("slot", "There is a palette.", AGAIN),
  PNG_TRANSPARENCY: reject("slot", "There is a transparency chunk.", AGAIN),
  PNG_ANIMATED: reject("slot", "The file is an animation.", AGAIN),
  PNG_CGBI: reject("slot", "The file is of Apple's private variant of PNG.", AGAIN),
  PNG_IDAT_MISSING: reject("slot", "There is no image data.", AGAIN),
  PNG_IDAT_SPLIT: reject("slot", "The image data chunks do not follow each other.", AGAIN),
  PNG_IEND_MISSING: reject("slot", "The file ends without IEND.", AGAIN),
  PNG_IEND_INVALID: reject("slot", "IEND is not empty.", AGAIN),
  PNG_TRAILING_DATA: reject("slot", "There are bytes after IEND.", AGAIN),
  PNG_CHUNK_DROPPED: warning(
    "slot",
    "There is an ancillary chunk that is not kept: the canonical form has none of it.",
    "Nothing needs to be done.",
  ),

  PNG_ZLIB_HEADER: reject("slot", "The image data does not begin with a zlib header.", AGAIN),
  PNG_ZLIB_WINDOW: reject(
    "slot",
    "The image data reaches back further than the window that its header states; not every decoder reads that.",
    AGAIN,
  ),
  PNG_INFLATE: reject("slot", "The image data cannot be inflated.", AGAIN),
  PNG_ZLIB_TRUNCATED: reject("slot", "The compressed image data ends before its end mark.", AGAIN),
  PNG_ADLER: reject("slot", "The inflated image data does not have its Adler-32.", AGAIN),
  PNG_DATA_SHORT: reject(
    "slot",
    "The image data inflates, or can inflate, to fewer bytes than the image needs.",
    AGAIN,
  ),
  PNG_DATA_LONG: reject("slot", "The image data inflates to more bytes than the image needs.", AGAIN),
  PNG_IDAT_TRAILING: reject("slot", "There are bytes after the end of the compressed image data.", AGAIN),
  PNG_FILTER: reject("slot", "A row has a filter type that PNG does not know.", AGAIN),

  PNG_NOT_CANONICAL: reject(
    "slot",
    "The frame is sound but not in canonical form.",
    "Hand in frames as render-child writes them.",
  ),
  PNG_DECODERS_DISAGREE: reject(
    "slot",
    "Two independent decoders do not see the same pixels.",
    "Report it with the frame: one of the decoders is wrong.",
  ),
} as const;
