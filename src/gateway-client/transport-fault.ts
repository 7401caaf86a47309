import { HandoffError, systemCode } from "../core/error.ts";

/** One attempt failed; `retry` says whether the same bytes may be sent again. */
export class AttemptFault extends Error {
  override readonly name = "AttemptFault";
  readonly error: HandoffError;
  readonly retry: boolean;
  constructor(error: HandoffError, retry: boolean) {
    super(error.message, { cause: error });
    this.error = error;
    this.retry = retry;
  }
}

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const TIMEOUT = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);
const CUT = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_RESPONSE_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_ABORTED",
]);

/** Names what undici or the system threw during an exchange; what it does not know is given back as it is. */
export function transportFault(thrown: unknown): unknown {
  const code = systemCode(thrown) ?? "";
  const fault = (name: ConstructorParameters<typeof HandoffError>[0], retry: boolean): AttemptFault =>
    new AttemptFault(new HandoffError(name, code === "" ? undefined : `(${code})`, { cause: thrown }), retry);
  if (UNREACHABLE.has(code)) return fault("GATEWAY_UNREACHABLE", true);
  if (TIMEOUT.has(code)) return fault("GATEWAY_TIMEOUT", true);
  if (CUT.has(code)) return fault("GATEWAY_CONNECTION_LOST", true);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return fault("GATEWAY_RESPONSE_TOO_LARGE", false);
  if (thrown instanceof Error && thrown.name === "HTTPParserError")
    return fault("GATEWAY_RESPONSE_INVALID", false);
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code))
    return fault("GATEWAY_UNREACHABLE", false);
  return thrown;
}
