import { CATALOGUE, isCode } from "../../contracts/catalogue.ts";
import type { ChildResult } from "../../contracts/documents/child-result.ts";
import { exitCodeOf } from "../render-child/endings.ts";
import type { CliContext } from "./context.ts";
import { errorLines } from "./error-lines.ts";

/** Says on stderr why a run of render-child failed, and sets its exit code; of another outcome it says nothing. */
export function tellFailure(result: ChildResult, context: CliContext): void {
  if (result.outcome !== "failed") return;
  const { reason, details } = result;
  const code = reason !== null && isCode(reason) ? reason : "INTERNAL_UNEXPECTED";
  context.err(errorLines({ code, message: result.message ?? CATALOGUE[code].summary, details, cause: null }));
  context.setExit(exitCodeOf(result));
}
