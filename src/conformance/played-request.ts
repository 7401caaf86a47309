import type { RouteName } from "../../contracts/routes.ts";
import type { PlainRequest } from "./exchange-once.ts";

/** One plain request; a player sends each once and judges whatever comes. */
export interface PlayedRequest extends Omit<PlainRequest, "url" | "method"> {
  readonly route: RouteName;
  /** The route's, with its parameters and query. */
  readonly path: string;
  /** A worker's or a checker's name, or the administrator. */
  readonly by: { readonly worker: string } | { readonly checker: string } | "administrator";
}
