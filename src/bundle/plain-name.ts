const NAME_BYTES = 255;

/** A relative path of printable ASCII without empty parts, dot parts, backslash, colon or final slash. */
export const isPlainName = (name: string): boolean =>
  name.length <= NAME_BYTES &&
  /^[\x21-\x7e]+$/.test(name) &&
  !/[\\:]/.test(name) &&
  name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
