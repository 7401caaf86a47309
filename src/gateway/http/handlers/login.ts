import { HandoffError } from "../../../core/error.ts";
import { drawLogin } from "../../page/draw-login.ts";
import { authenticate } from "../../people/authenticate.ts";
import type { Answer, Call } from "../call.ts";
import { raw } from "../handler.ts";
import { PAGE_COOKIE } from "../page-access.ts";
import { htmlAnswer } from "./page.ts";

/** Keeps the form's token in a cookie that no script can read and no other site can send. */
export const login = raw(async (call, body) => {
  const token = new URLSearchParams(body.toString("utf8")).get("token")?.trim() ?? "";
  try {
    if (isForeign(call)) throw new HandoffError("role_forbidden");
    const { queue, adminTokenSha256 } = call.services;
    const principal = await authenticate(queue.store, adminTokenSha256, token);
    if (principal.role === "worker") throw new HandoffError("role_forbidden");
    return toPage(call, token);
  } catch (thrown) {
    if (!(thrown instanceof HandoffError) || thrown.code === "GATEWAY_STORE_FAILED") throw thrown;
    return htmlAnswer(drawLogin(thrown.code), 401);
  }
});

export const logout = raw(async (call) => toPage(call, ""));

const isForeign = (call: Call): boolean =>
  call.headerValues("sec-fetch-site").some((site) => site !== "same-origin");

const toPage = ({ secure }: Call, token: string): Answer => ({
  kind: "empty",
  status: 303,
  headers: {
    location: "/",
    "cache-control": "no-store",
    "set-cookie": `${PAGE_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}${token === "" ? "; Max-Age=0" : ""}`,
  },
});
