import { html, Markup } from "./markup.ts";

/** Commands to be copied, one a line. */
export const commands = (lines: readonly string[]): Markup =>
  html`<pre tabindex="0" role="group" aria-label="Commands">${lines.map((line, index) => html`${index === 0 ? null : NEW_LINE}${line}`)}</pre>`;

/** The template would show a new line in a string of unknown origin as an escape. */
const NEW_LINE = new Markup("\n");
