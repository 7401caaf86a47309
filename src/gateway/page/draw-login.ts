import { drawShell } from "./draw-page.ts";
import { html } from "./markup.ts";

/** Asks for a token; `code` says why the last one was not good enough. */
export const drawLogin = (code: string | null): string =>
  drawShell(
    "render-handoff: log in",
    html`<main class="login"><h1>render-handoff</h1>
<p>This page is for the administrator and for checkers.</p>
${code === null ? null : html`<p role="alert" class="wrong">That was not it: <code>${code}</code></p>`}
<form method="post" action="/login"><label>Token <input type="password" name="token" autocomplete="current-password" required></label>
<button type="submit">Log in</button></form></main>`,
  );
