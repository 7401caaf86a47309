// @ts-check
// Keeps the page up to date: it asks for the same page again when the gateway says that something changed, and
// puts in what is different. Without it the page is whole, and has a link to refresh.
const live = document.getElementById("live");
const news = document.getElementById("news");
const QUIET_MS = 400;

/**
 * Parts as the gateway drew them, before leases ran down in them.
 * @type {WeakMap<Element, string>}
 */
const drawn = new WeakMap();
for (const part of document.querySelectorAll("[data-part]")) drawn.set(part, part.outerHTML);

let asking = false;
let wanted = false;
let askedMs = 0;
/** The gateway's clock less ours, in seconds. */
let ahead = clockOf(document) - ownSeconds();
/** @type {EventSource | null} */
let stream = null;

/** This browser's clock: the only place where the page reads one. */
function ownSeconds() {
  return Date.now() / 1000;
}

/** @param {Document} page */
function clockOf(page) {
  return Number(page.getElementById("live")?.dataset.now ?? ownSeconds());
}

/**
 * Elements below another one.
 * @param {ParentNode} parent
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
function all(parent, selector) {
  return [...parent.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement);
}

/**
 * @param {string} text
 * @param {string} kind
 */
function say(text, kind) {
  if (!live || live.dataset.kind === kind) return;
  live.dataset.kind = kind;
  live.textContent = text;
}

/** Soon, but not more often than twice a second, and never two at a time. */
function refresh() {
  if (asking || document.hidden) {
    wanted = true;
    return;
  }
  asking = true;
  wanted = false;
  setTimeout(ask, Math.max(0, askedMs + QUIET_MS - performance.now()));
}

async function ask() {
  askedMs = performance.now();
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    const text = await answer.text();
    if (answer.status === 401 || answer.status === 403) return location.reload();
    if (answer.ok) show(new DOMParser().parseFromString(text, "text/html"));
  } catch {
    // the stream tells when the gateway is back
  } finally {
    asking = false;
    if (wanted) refresh();
  }
}

/** @param {Document} fresh */
function show(fresh) {
  ahead = clockOf(fresh) - ownSeconds();
  announce(fresh);
  const list = document.querySelector("[data-list]");
  const freshList = fresh.querySelector("[data-list]");
  if (list && freshList) sync(list, freshList);
  for (const part of all(fresh, "main > [data-part]")) {
    const [old] = all(document, `main > [data-part="${CSS.escape(part.dataset.part ?? "")}"]`);
    if (old) replace(old, part);
    else document.querySelector("main")?.append(part);
  }
  count();
}

/**
 * The children of a list by their keys, in the order of the fresh ones.
 * @param {Element} list
 * @param {Element} fresh
 */
function sync(list, fresh) {
  const old = new Map(all(list, ":scope > *").map((child) => [child.dataset.part, child]));
  let place = list.firstElementChild;
  for (const child of all(fresh, ":scope > *")) {
    const known = old.get(child.dataset.part);
    old.delete(child.dataset.part);
    const here = known !== undefined && known === place;
    if (!known) drawn.set(child, child.outerHTML);
    const now = known ? replace(known, child) : child;
    if (here) place = now.nextElementSibling;
    else list.insertBefore(now, place);
  }
  for (const gone of old.values()) gone.remove();
}

/**
 * Puts the fresh one in, when it is another; what was open stays open, and the focus where it was.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function replace(old, fresh) {
  const text = fresh.outerHTML;
  if (drawn.get(old) === text) return old;
  const opened = new Map([...old.querySelectorAll("details")].map((one) => [one.dataset.fold, one.open]));
  const focusable = "a, summary, button, input, select";
  /** @type {(Element | null)[]} */
  const before = all(old, focusable);
  const focus = before.indexOf(document.activeElement);
  for (const one of fresh.querySelectorAll("details")) one.open = opened.get(one.dataset.fold) ?? one.open;
  drawn.set(fresh, text);
  old.replaceWith(fresh);
  if (focus >= 0) all(fresh, focusable)[focus]?.focus();
  return fresh;
}

/**
 * Says to those who do not see it which slots are in another state than before.
 * @param {Document} fresh
 */
function announce(fresh) {
  const said = [];
  for (const slot of all(fresh, "[data-task]")) {
    const [old] = all(document, `[data-task="${CSS.escape(slot.dataset.task ?? "")}"]`);
    if (old && old.dataset.state !== slot.dataset.state)
      said.push(`${slot.dataset.task}: ${slot.querySelector(".state")?.textContent}`);
  }
  if (said.length > 0 && news) news.textContent = said.join(", ");
}

/** Leases run down, second by second. */
function count() {
  for (const left of all(document, "[data-until]")) {
    const seconds = Math.max(0, Math.round(Number(left.dataset.until) - ownSeconds() - ahead));
    left.textContent = inWords(seconds);
  }
}

/** @param {number} seconds */
function inWords(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`;
}

/** A page that nobody sees holds no connection: a browser has few for one place. */
function follow() {
  if (document.hidden) {
    stream?.close();
    stream = null;
    say("paused", "paused");
    return;
  }
  if (stream !== null) return;
  stream = new EventSource("/q/events?brief=true");
  const current = stream;
  for (const kind of ["ready", "reset", "changed"])
    current.addEventListener(kind, () => {
      say("live", "live");
      refresh();
    });
  current.addEventListener("error", () => {
    say("the gateway is away, trying again", "away");
    if (current.readyState !== EventSource.CLOSED) return;
    // an answer that is no stream ends it for good; it is asked for again all the same
    current.close();
    // it may be that a token is asked for now
    refresh();
    setTimeout(() => {
      if (stream !== current) return;
      stream = null;
      follow();
    }, 2000);
  });
}

document.addEventListener("visibilitychange", follow);
setInterval(count, 1000);
follow();
