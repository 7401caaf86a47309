import { drawLogin } from "../../page/draw-login.ts";
import type { Answer, Call } from "../call.ts";
import { type Handler, plain } from "../handler.ts";
import { SHOWN } from "../parameters.ts";
import { problemOf } from "../problem.ts";
import { SAFE_HEADERS } from "../safe-headers.ts";

const PERSONAL: ReadonlySet<string> = new Set(["unauthenticated", "role_forbidden", "worker_revoked"]);
const HTML = "text/html; charset=utf-8";
const UNSTORED = { ...SAFE_HEADERS, "cache-control": "no-store" };

/** A page that was drawn on the server; whole without a script. */
export const htmlAnswer = (html: string, status = 200): Answer => ({
  kind: "bytes",
  status,
  bytes: Buffer.from(html, "utf8"),
  type: HTML,
  headers: UNSTORED,
});

export const getPage: Handler = {
  ...plain(async (call) => htmlAnswer(await call.services.pages.page(wanted(call)))),
  // who is not let in may say who else they are; a full or failing gateway has nothing to ask them
  refusal: (error) =>
    PERSONAL.has(error.code)
      ? htmlAnswer(drawLogin(error.code === "unauthenticated" ? null : error.code), problemOf(error).status)
      : null,
};

const wanted = ({ query, principal }: Call) => ({
  text: query["q"] === undefined || query["q"].trim() === "" ? null : query["q"].trim(),
  show: SHOWN.find((one) => one === query["show"]) ?? "all",
  before: query["before"] === undefined ? null : Number(query["before"]),
  jobId: query["handoff"] ?? null,
  /** Somebody is logged in, and may log out. */
  named: principal !== null,
});
