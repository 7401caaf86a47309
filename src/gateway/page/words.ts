import { timestamp } from "../../core/clock.ts";
import { html, type Markup } from "./markup.ts";
import type { Person, SlotView } from "./view.ts";

/** How states are called on the page. */
export const STATES: Readonly<Record<SlotView["state"], string>> = {
  ready: "waiting",
  leased: "at work",
  done: "handed in",
};

/** `1 m 05 s`, `2 h 10 m`: seconds for people. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} m ${String(whole % 60).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`;
}

export const frames = (first: number, last: number): string =>
  first === last ? `frame ${first}` : `frames ${first}\u2013${last}`;

/** `620 bytes`, `1.2 MB`. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} bytes`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** A moment that the script may tell in the reader's own time. */
export const moment = (seconds: number): Markup =>
  html`<time datetime="${timestamp(seconds)}">${timestamp(seconds).replace("T", " ")}</time>`;

/** The beginning of a digest; the whole of it on pointing, and for copying. */
export const digest = (sha256: string): Markup =>
  html`<code class="digest" title="${sha256}">${sha256.slice(0, 12)}<span class="rest">${sha256.slice(12)}</span></code>`;

/** A worker by name, and the beginning of its id, which nobody chose. */
export const person = ({ id, name }: Person): Markup =>
  html`<span class="person"><bdi>${name ?? "unknown"}</bdi> <code title="${id}">${id.slice(0, 10)}</code></span>`;
