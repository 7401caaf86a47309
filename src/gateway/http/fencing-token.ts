import { Fence } from "../../../contracts/names.ts";
import { HEADERS } from "../../../contracts/routes.ts";
import type { Call } from "./call.ts";

/** The fence that a request states in its header; null unless it stands there once, as a plain number. */
export function fencingToken(call: Call): number | null {
  const [stated = "", ...more] = call.headerValues(HEADERS.fencingToken);
  if (more.length > 0 || !/^[1-9]\d{0,15}$/.test(stated)) return null;
  return Fence.safeParse(Number(stated)).data ?? null;
}
