/** A pattern of LIKE for any text that has this one in it; `\\` escapes. */
export const patternOf = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
