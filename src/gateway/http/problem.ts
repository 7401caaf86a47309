import { CATALOGUE, type WireCode } from "../../../contracts/catalogue.ts";
import { WIRE_CODES } from "../../../contracts/codes/wire.ts";
import { PROBLEM_TYPE, type Problem } from "../../../contracts/documents/records.ts";
import { RETRYING_CODES } from "../../../contracts/headers.ts";
import { HandoffError, systemCode } from "../../core/error.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";
/** What a client waits where nothing more is known. */
const UNAVAILABLE_SECONDS = 5;

/** An answer that tells of an error: RFC 9457, never a stack. */
export interface ProblemAnswer {
  readonly code: WireCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem & { details?: readonly string[] };
  /** For the log alone. */
  readonly cause: string | null;
}

const isWireCode = (code: string): code is WireCode => Object.hasOwn(WIRE_CODES, code);

/** What Fastify and Node throw by themselves, by their own code. */
const FOREIGN: Readonly<Record<string, WireCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "malformed_http",
  FST_ERR_BAD_URL: "malformed_http",
  FST_ERR_MAX_PARAM_LENGTH: "route_unknown",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** The problem that a thrown value becomes; what is unknown is internal_error and told to the log only. */
export function problemOf(thrown: unknown): ProblemAnswer {
  if (!(thrown instanceof HandoffError)) {
    const code = FOREIGN[systemCode(thrown) ?? ""] ?? "internal_error";
    return problem(code, { cause: code === "internal_error" ? describe(thrown) : null });
  }
  if (isWireCode(thrown.code)) {
    const summary = CATALOGUE[thrown.code].summary;
    const detail = thrown.message.slice(summary.length).trim();
    return problem(thrown.code, {
      ...(detail === "" ? {} : { detail }),
      details: thrown.details,
      retryAfterSeconds: thrown.retryAfterSeconds,
      cause: null,
    });
  }
  if (thrown.code === "GATEWAY_STORE_FAILED") return problem("unavailable", { cause: describe(thrown) });
  if (thrown.code === "GATEWAY_DATA_NEWER") {
    const detail = `${thrown.code}: ${CATALOGUE[thrown.code].summary}`;
    return problem("unavailable", { detail, cause: describe(thrown) });
  }
  return problem("internal_error", { cause: describe(thrown) });
}

interface Particulars {
  readonly detail?: string;
  readonly details?: readonly string[];
  readonly retryAfterSeconds?: number | undefined;
  readonly cause: string | null;
}

function problem(code: WireCode, particulars: Particulars): ProblemAnswer {
  const entry = WIRE_CODES[code];
  const retryAfter = RETRYING_CODES.includes(code)
    ? (particulars.retryAfterSeconds ?? UNAVAILABLE_SECONDS)
    : null;
  return {
    code,
    status: entry.http,
    headers: retryAfter === null ? {} : { "retry-after": String(retryAfter) },
    body: {
      type: `${PROBLEM_TYPE}${code}`,
      title: entry.summary,
      status: entry.http,
      ...(particulars.detail === undefined ? {} : { detail: particulars.detail }),
      ...(particulars.details === undefined || particulars.details.length === 0
        ? {}
        : { details: particulars.details }),
    },
    cause: particulars.cause,
  };
}

const describe = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
