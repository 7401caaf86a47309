/** Characters that a terminal or a reader could be misled by: control, bidirectional, zero-width, private. */
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/** A string of unknown origin as one harmless line of at most `most` characters. */
export function harmless(text: string, most = 200): string {
  const shown = text
    .toWellFormed()
    .replace(HOSTILE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return shown.length > most ? `${shown.slice(0, most - 1).toWellFormed()}…` : shown;
}
