import type { ErrorCode } from "../../../contracts/catalogue.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { harmless } from "../../core/escape.ts";
import { errorOfLine } from "./error-lines.ts";

const WORDS = 12;
const PROGRESS = /\bFra: ?\d/;

export interface KeptLog {
  /** Last lines, harmless to show. */
  readonly tail: readonly string[];
  /** Last lines that are no progress: in a long render they are far behind the end. */
  readonly words: readonly string[];
  /** First lines that name an error, with their codes. */
  readonly errors: readonly { readonly code: ErrorCode; readonly line: string }[];
}

/** Keeps of a process's output what a person needs to see afterwards: the end and the errors. */
export class LogKeeper {
  private tail: string[] = [];
  private words: string[] = [];
  private readonly errors: { code: ErrorCode; line: string }[] = [];

  add(line: string): void {
    this.tail.push(line);
    if (this.tail.length > 2 * LIMITS.logLines) this.tail = this.tail.slice(-LIMITS.logLines);
    if (!PROGRESS.test(line)) this.words = [...this.words.slice(1 - WORDS), line];
    const code = errorOfLine(line);
    if (code !== null && this.errors.length < LIMITS.logLines) this.errors.push({ code, line });
  }

  kept(): KeptLog {
    return {
      tail: this.tail.slice(-LIMITS.logLines).map((line) => harmless(line, 400)),
      words: this.words.map((line) => harmless(line, 400)),
      errors: this.errors.map(({ code, line }) => ({ code, line: harmless(line, 400) })),
    };
  }
}
