import { harmless } from "../../core/escape.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML that may stand in a page as it is: only `html` makes it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | null | readonly Content[];

/**
 * A template whose values are text unless they are markup: one harmless line, escaped. Null is nothing.
 * Attributes are always quoted.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(parts.map((part, index) => `${part}${rendered(values[index] ?? null)}`).join(""));

function rendered(value: Content): string {
  if (value === null) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return harmless(value, 240).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
  return value.map(rendered).join("");
}
