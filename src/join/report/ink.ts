/** Colours of a summary on a terminal; elsewhere the text stays as it is. */
export interface Ink {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  soft(text: string): string;
  strong(text: string): string;
}

const inside =
  (start: number, end: number) =>
  (text: string): string =>
    `\u001b[${start}m${text}\u001b[${end}m`;
const same = (text: string): string => text;

export const INK: Ink = {
  good: inside(32, 39),
  bad: inside(31, 39),
  warn: inside(33, 39),
  soft: inside(2, 22),
  strong: inside(1, 22),
};
export const NO_INK: Ink = { good: same, bad: same, warn: same, soft: same, strong: same };
