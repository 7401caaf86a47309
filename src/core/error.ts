import { CATALOGUE, type ErrorCode, type WireCode } from "../../contracts/catalogue.ts";
import type { ExitCode } from "../../contracts/codes/entry.ts";

export { systemCode } from "./system-code.ts";

export interface HandoffErrorOptions {
  readonly cause?: unknown;
  /** Further lines for a person: findings, the last lines of a log. */
  readonly details?: readonly string[];
  /** Seconds after which the same call makes sense again. */
  readonly retryAfterSeconds?: number;
  /** The gateway's own code, where the fault came from there. */
  readonly wireCode?: WireCode;
}

/**
 * A fault of the machine or of the call. `message` is the catalogue's sentence and what is particular to
 * this case; findings about evidence are values, never thrown.
 */
export class HandoffError extends Error {
  override readonly name = "HandoffError";
  readonly code: ErrorCode | WireCode;
  readonly details: readonly string[];
  readonly retryAfterSeconds: number | undefined;
  readonly wireCode: WireCode | undefined;

  constructor(code: ErrorCode | WireCode, particular?: string, options: HandoffErrorOptions = {}) {
    const summary = CATALOGUE[code].summary;
    super(
      particular === undefined ? summary : `${summary} ${particular}`,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.wireCode = options.wireCode;
  }

  get exit(): ExitCode {
    return CATALOGUE[this.code].exit;
  }
}

/** The same error when it is one of ours, else INTERNAL_UNEXPECTED around it. */
export const asHandoffError = (thrown: unknown): HandoffError =>
  thrown instanceof HandoffError
    ? thrown
    : new HandoffError("INTERNAL_UNEXPECTED", describe(thrown), { cause: thrown });

const describe = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
