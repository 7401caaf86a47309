/** Why a verdict of ours stands against another program's: the column `why` of table.tsv. */
export const REASONS: Readonly<Record<string, string>> = {
  format:
    "A sound PNG, but palette, grey with alpha, 1 to 4 bit, interlaced, with a transparency chunk or animated: " +
    "no format that is handed over. libpng and pngcheck know no such limit, and both pass animations.",
  ancillary:
    "An ancillary chunk is damaged, repeated or does not inflate. libpng leaves it out with a warning or unread; " +
    "pngcheck does not inflate a profile. Here it must be equal over all frames, so it must be sound.",
  "unknown-chunk":
    "pngcheck calls every ancillary chunk an error that it does not know. PNG says to pass it over; the canonical " +
    "form drops it, with a warning.",
  "two-readings":
    "zipfile believes the central directory and its own search for the end record. The archive has another " +
    "reading: local headers, gaps, overlaps, names, counts or an end that say something else.",
  names:
    "A name that leads elsewhere, or a folder, link or device. zipfile changes names when it extracts, and takes " +
    "every entry for a file.",
  caps: "More members, a larger member or a higher ratio than any bundle needs; zipfile has no caps.",
  features:
    "ZIP64, several disks, descriptors, flags, methods or a version beyond 2.0: no bundle needs them, and readers " +
    "differ in them. zipfile reads most.",
  "side-channels":
    "Extra fields and comments are not covered by any check of a member, and one of them replaces names in some " +
    "readers. zipfile passes over them.",
};
