import type { z } from "zod";
import type { WireCode } from "../catalogue.ts";
import type { AnswerField, RequestField } from "../headers.ts";
import { LIMITS } from "../limits.ts";

export const ROLES = ["administrator", "worker", "checker"] as const;
export type Role = (typeof ROLES)[number];

export interface Route {
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  /** Path with `{name}` for parameters. */
  readonly path: string;
  /** Roles that may call it; "open" needs no token. */
  readonly who: readonly Role[] | "open";
  /** Open to connections from this machine that come through no proxy and state no token. */
  readonly openOnLoopback?: true;
  /** Readers of the gateway's page may call it too: on its machine without a token, elsewhere by its cookie. */
  readonly page?: true;
  readonly summary: string;
  /** json: narrowed by `request`; raw: JSON whose exact bytes matter; png, form: as they are; blob: streamed. */
  readonly body: "none" | "json" | "raw" | "png" | "form" | "blob";
  readonly bodyBytes: number;
  readonly request: z.ZodType | null;
  readonly query: readonly string[];
  /** Headers that the route reads. */
  readonly reads?: Readonly<Partial<Record<RequestField, "required" | "optional">>>;
  /** Headers that its answers may have. */
  readonly says?: readonly AnswerField[];
  readonly answer: z.ZodType | "bytes" | "text";
  /** Statuses of answers that are no problem documents, with what each means; where there is none, it is 200. */
  readonly statuses?: Readonly<Partial<Record<200 | 201 | 206 | 303 | 401, string>>>;
  readonly codes: readonly WireCode[];
}

/** What a route may answer with, but for problem documents: the meaning by status. */
export const statusesOf = ({ statuses, summary }: Route): Readonly<Record<string, string>> =>
  statuses ?? { 200: summary };

/** Of a route that stores something: the same again changes nothing. */
export const NEW_OR_SAME = { 200: "It was there already.", 201: "It is new." } as const;

/** A route that reads. */
export const get = (
  path: string,
  who: Route["who"],
  summary: string,
  answer: Route["answer"],
  codes: readonly WireCode[],
  query: readonly string[] = [],
): Route => ({
  method: "GET",
  path,
  who,
  summary,
  body: "none",
  bodyBytes: 0,
  request: null,
  query,
  answer,
  codes,
});
/** A route that takes a small JSON body, or none. */
export const post = (
  path: string,
  who: Route["who"],
  summary: string,
  request: z.ZodType | null,
  answer: Route["answer"],
  codes: readonly WireCode[],
): Route => ({
  method: "POST",
  path,
  who,
  summary,
  body: request === null ? "none" : "json",
  bodyBytes: LIMITS.smallBodyBytes,
  request,
  query: [],
  answer,
  codes,
});
