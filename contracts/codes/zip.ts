import { reject, undecided } from "./entry.ts";

const REPACK = "The slot must be handed in again as render-child packs it.";

/** Codes of the bundle, in the order of the rules that they belong to (docs/FRAMES-AND-BUNDLES.md). */
export const ZIP_CODES = {
  ZIP_NOT_A_ZIP: reject("slot", "The bundle is no ZIP archive: it has no end record.", REPACK),
  ZIP_TRAILING_DATA: reject("slot", "There are bytes after the archive's end record.", REPACK),
  ZIP_ARCHIVE_COMMENT: reject("slot", "The archive has a comment.", REPACK),
  ZIP_MULTI_DISK: reject("slot", "A record names another disk than the first.", REPACK),
  ZIP_COUNT_MISMATCH: reject(
    "slot",
    "The entry counts differ from each other or from what is there.",
    REPACK,
  ),
  ZIP_DIRECTORY_BOUNDS: reject(
    "slot",
    "The central directory does not end where the end record begins.",
    REPACK,
  ),
  ZIP_DIRECTORY_INVALID: reject("slot", "The central directory is not a row of whole entries.", REPACK),

  ZIP_ZIP64: reject("slot", "There is a ZIP64 structure.", REPACK),
  ZIP_DATA_DESCRIPTOR: reject("slot", "A member has a data descriptor.", REPACK),
  ZIP_ENCRYPTED: reject("slot", "A member is encrypted.", REPACK),
  ZIP_FLAGS: reject("slot", "A member has a flag that is not allowed.", REPACK),
  ZIP_METHOD: reject("slot", "A member is neither stored nor deflated.", REPACK),
  ZIP_EXTRA_FIELD: reject("slot", "A member has an extra field.", REPACK),
  ZIP_ENTRY_COMMENT: reject("slot", "A member has a comment.", REPACK),
  ZIP_VERSION_NEEDED: reject("slot", "A member needs a newer version of ZIP than 2.0.", REPACK),

  ZIP_LOCAL_HEADER_MISSING: reject("slot", "There is no local header where the directory says.", REPACK),
  ZIP_LOCAL_HEADER_MISMATCH: reject("slot", "A local header does not say what the directory says.", REPACK),
  ZIP_PREFIX: reject("slot", "There are bytes before the first member.", REPACK),
  ZIP_GAP: reject(
    "slot",
    "There are bytes between members, or before the directory, that belong to none.",
    REPACK,
  ),
  ZIP_OVERLAP: reject("slot", "Members overlap each other or the directory.", REPACK),
  ZIP_ORDER: reject("slot", "The members do not stand in the order of the directory.", REPACK),

  ZIP_NAME_UNSAFE: reject("slot", "A member's name is no plain relative path of printable ASCII.", REPACK),
  ZIP_MEMBER_DUPLICATE: reject(
    "slot",
    "Two members have one name, or names that differ in upper and lower case only.",
    REPACK,
  ),
  ZIP_MEMBER_UNEXPECTED: reject("slot", "There is a member that does not belong there.", REPACK),
  ZIP_MEMBER_MISSING: reject("slot", "A member is missing.", REPACK),
  ZIP_FILE_TYPE: reject("slot", "A member is no plain regular file.", REPACK),

  ZIP_TOO_LARGE: reject("slot", "The bundle is larger than its cap.", REPACK),
  ZIP_MEMBER_COUNT: reject("slot", "The bundle has more members than a bundle can have.", REPACK),
  ZIP_DIRECTORY_TOO_LARGE: reject("slot", "The central directory is larger than any bundle's.", REPACK),
  ZIP_MEMBER_TOO_LARGE: reject("slot", "A member states a size over its cap.", REPACK),
  ZIP_TOTAL_TOO_LARGE: reject("slot", "The members together state a size over the cap.", REPACK),
  ZIP_RATIO: reject("slot", "A member states a size that its compressed bytes cannot inflate to.", REPACK),
  ZIP_STORED_SIZE: reject("slot", "A stored member states two different sizes.", REPACK),
  ZIP_INFLATE: reject("slot", "A member's data cannot be inflated.", REPACK),
  ZIP_INFLATED_SIZE: reject("slot", "A member does not inflate to its stated size.", REPACK),
  ZIP_DEFLATE_TRAILING: reject(
    "slot",
    "There are bytes after the end of a member's compressed data.",
    REPACK,
  ),
  ZIP_CRC: reject("slot", "A member's data does not have its CRC.", REPACK),

  ZIP_READERS_DISAGREE: reject("slot", "Two independent readers do not see the same members.", REPACK),
  ZIP_UNREADABLE: undecided(
    3,
    "The bundle could not be read to its end on this machine.",
    "Check the disk, then run again.",
  ),
} as const;
