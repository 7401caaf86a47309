import { LIMITS } from "../limits.ts";
import { get, post, ROLES, type Route } from "../wire/route.ts";

const any = ROLES;
const TO_PAGE = { 303: "On to the page." } as const;

/** What a person looks at. */
export const PAGE_ROUTES = {
  putPreview: {
    method: "PUT",
    path: "/q/preview/{task_id}",
    who: ["worker"],
    summary: "Shows a small picture of the last finished frame, under the lease.",
    body: "png",
    bodyBytes: LIMITS.previewBytes,
    request: null,
    query: ["frame"],
    answer: "text",
    codes: ["stale_or_invalid_lease", "task_unknown", "preview_invalid"],
    reads: { "fencing-token": "required" },
  },
  getPreview: {
    ...get(
      "/q/preview/{task_id}",
      ["administrator", "checker"],
      "The picture that the task's worker shows; not verified.",
      "bytes",
      ["preview_unknown"],
      ["seen"],
    ),
    page: true,
  },
  page: {
    ...get(
      "/",
      ["administrator", "checker"],
      "The page: what is going on.",
      "text",
      [],
      ["q", "show", "before", "handoff"],
    ),
    page: true,
  },
  pageScript: get("/page.js", "open", "The page's script.", "text", []),
  pageStyle: get("/page.css", "open", "The page's style.", "text", []),
  pageIcon: get("/page.svg", "open", "The page's icon.", "text", []),
  login: {
    ...post("/login", "open", "Keeps a token in the page's cookie.", null, "text", []),
    body: "form",
    bodyBytes: 4_096,
    reads: { "sec-fetch-site": "optional" },
    says: ["location", "set-cookie"],
    statuses: { ...TO_PAGE, 401: "The form again: the token does not open the page." },
  },
  logout: {
    ...post("/logout", "open", "Forgets the page's cookie.", null, "text", []),
    body: "form",
    says: ["location", "set-cookie"],
    statuses: TO_PAGE,
  },
  events: {
    ...get(
      "/q/events",
      any,
      "Server-sent events: what changed, and how far the leased tasks are.",
      "text",
      [],
      ["after", "brief"],
    ),
    reads: { "last-event-id": "optional" },
    page: true,
  },
} as const satisfies Record<string, Route>;
