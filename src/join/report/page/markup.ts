import { harmless } from "../../../core/escape.ts";

/** Text that is HTML already. Only `html` makes it, so whatever else is put into a page is escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | null | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The longest string that a finding can carry, and room for what escaping adds. */
const MOST = 2_000;

/** A string of unknown origin as harmless text, inside an element or a quoted attribute. */
const escaped = (text: string): string =>
  harmless(text, MOST).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");

function render(part: Part): string {
  if (part === null) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map((one) => one.text).join("");
  return escaped(String(part));
}

/** Template for HTML: what is put in is escaped unless it was made by this very template. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(strings.reduce((text, string, index) => text + render(parts[index - 1] ?? null) + string));
